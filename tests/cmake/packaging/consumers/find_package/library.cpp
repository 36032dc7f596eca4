// SPDX-License-Identifier: BSD-3-Clause
#include <torch/torch.h>
extern "C" __attribute__((visibility("default"))) int of_user() { return get_number(); }
