// SPDX-License-Identifier: BSD-3-Clause
// A CMake file or a pkg-config file: its commands, and the absolute paths in it. Nothing is
// refused.
#include "checks/cmake_lexer.h"

#include "checks/cmake_paths.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  const std::string_view text = torchpkg::as_text(copy.bytes());
  (void)torchpkg::read_cmake(text);
  (void)torchpkg::absolute_paths_in_cmake(text);
  (void)torchpkg::absolute_paths_in_pkg_config(text);
  return 0;
}
