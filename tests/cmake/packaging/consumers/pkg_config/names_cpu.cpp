// SPDX-License-Identifier: BSD-3-Clause
// Callers that take only the names of libraries keep those of which a program names a symbol.
#include <torch/torch.h>

#include <cstdio>
double torch_cpu_number();
int main() { return torch_cpu_number() < 0 || std::printf("%d\n", c10_number()) < 0; }
