// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <c10/number.h>
