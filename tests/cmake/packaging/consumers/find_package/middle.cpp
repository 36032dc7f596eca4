// SPDX-License-Identifier: BSD-3-Clause
#include <torch/torch.h>
int middle() { return c10_number(); }
