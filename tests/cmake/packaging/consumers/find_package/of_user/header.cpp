// SPDX-License-Identifier: BSD-3-Clause
#include <other/owner.h>
#include <torch/torch.h>

#include <cstdio>
int main() { return std::printf("%s\n", OWNER) < 0; }
