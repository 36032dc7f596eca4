// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
int c10_number_of_cuda();
static int registered = printf("those of CUDA\n") + c10_number_of_cuda();
