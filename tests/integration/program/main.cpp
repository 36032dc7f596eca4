// SPDX-License-Identifier: BSD-3-Clause
// A message there and back through protobuf, and exp() of SLEEF, once and four at once.
#include <google/protobuf/text_format.h>
#include <sleef.h>

#include <cstdio>
#include <string>

#include "point.pb.h"

#ifdef __x86_64__
bool four_at_once();
#endif

int main() {
  integration::Point point;
  point.set_x(2.5);
  point.set_name("a point");
  integration::Point copy;
  std::string text;
  if (!copy.ParseFromString(point.SerializeAsString()) || copy.name() != "a point" ||
      !google::protobuf::TextFormat::PrintToString(copy, &text)) {
    std::puts("protobuf does not give back what it was given");
    return 1;
  }
  std::printf("%sexp(1) = %.12f\n", text.c_str(), Sleef_exp_u10(1.0));
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
