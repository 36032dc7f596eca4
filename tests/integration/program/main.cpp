// SPDX-License-Identifier: BSD-3-Clause
// exp() of SLEEF, once and four at once.
#include <sleef.h>

#include <cstdio>

#ifdef __x86_64__
bool four_at_once();
#endif

int main() {
  std::printf("exp(1) = %.12f\n", Sleef_exp_u10(1.0));
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2")) {
    std::puts("this processor has no AVX2, so not 4 at once");
    return 0;
  }
  if (!four_at_once()) {
    std::puts("SLEEF's AVX2 kernel is wrong");
    return 1;
  }
  std::puts("4 at once");
#else
  std::puts("this is not an x86-64 machine, so not 4 at once");
#endif
  return 0;
}
