// SPDX-License-Identifier: BSD-3-Clause
// Compiled for AVX2: sleef.h declares only what the compiler may use.
#include <immintrin.h>
#include <sleef.h>

#include <cmath>

bool four_at_once() {
  alignas(32) double results[4];
  _mm256_store_pd(results, Sleef_expd4_u10avx2(_mm256_set_pd(3, 2, 1, 0)));
  for (int i = 0; i < 4; ++i) {
    if (std::abs(results[i] - std::exp(i)) > 1e-15 * std::exp(i)) return false;
  }
  return true;
}
