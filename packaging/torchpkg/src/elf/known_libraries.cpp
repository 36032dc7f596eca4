// SPDX-License-Identifier: BSD-3-Clause
#include "elf/known_libraries.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "backend/libraries.h"

namespace torchpkg {

bool is_on_every_host(const std::string& name) {
  constexpr std::array kPatterns = {
      "libc.so.6",  "libm.so.6",     "libmvec.so.1",   "libdl.so.2",  "libpthread.so.0",
      "librt.so.1", "libutil.so.1",  "libresolv.so.2", "libanl.so.1", "ld-linux*.so*",
      "ld64.so.*",  "libgcc_s.so.1", "libstdc++.so.6"};
  return is_driver_library(name) ||
         std::any_of(kPatterns.begin(), kPatterns.end(), [&name](const char* pattern) {
           return ::fnmatch(pattern, name.c_str(), 0) == 0;
         });
}

bool is_driver_library(std::string_view name) {
  const std::vector<std::string>& driver = backend::driver_libraries();
  return std::find(driver.begin(), driver.end(), name) != driver.end();
}

bool is_openmp_runtime(std::string_view name) {
  constexpr std::array<std::string_view, 4> kFamilies = {"libgomp", "libomp", "libiomp5",
                                                         "libiomp"};
  return std::any_of(kFamilies.begin(), kFamilies.end(), [name](std::string_view family) {
    if (!name.starts_with(family)) return false;
    const std::string_view rest = name.substr(family.size());
    return rest.starts_with(".so") || rest.starts_with('-');  // also when renamed by a hash
  });
}

}  // namespace torchpkg
