// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
static int registered = printf("linear algebra\n");
