// SPDX-License-Identifier: BSD-3-Clause
#include <torch/torch.h>

#include <cstdio>
#if !defined(USE_ONE) || USE_TWO != 2 || _GLIBCXX_USE_CXX11_ABI != 1 || __cplusplus < 201703L
#error definitions are missing
#endif
#if defined(CUDA) && !defined(USE_THREE)
#error definitions of CUDA are missing
#endif
int main() { return std::printf("%d\n", c10_number()) < 0; }
