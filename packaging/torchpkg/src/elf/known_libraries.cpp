// SPDX-License-Identifier: BSD-3-Clause
#include "elf/known_libraries.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>

#include "backend/libraries.h"
#include "common/file.h"
#include "common/text.h"

namespace torchpkg {

AllowList AllowList::built_in() {
  AllowList list;
  list.patterns_ = {"libc.so.6",       "libm.so.6",     "libmvec.so.1", "libdl.so.2",
                    "libpthread.so.0", "librt.so.1",    "libutil.so.1", "libresolv.so.2",
                    "libanl.so.1",     "ld-linux*.so*", "ld64.so.*",    "libgcc_s.so.1",
                    "libstdc++.so.6"};
  const std::vector<std::string>& driver = backend::driver_libraries();
  list.patterns_.insert(list.patterns_.end(), driver.begin(), driver.end());
  return list;
}

AllowList AllowList::from_file(const std::filesystem::path& path) {
  AllowList list;
  for (const std::string& line : split(read_text(path), '\n')) {
    const std::string text = line.substr(0, line.find('#'));
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    list.patterns_.push_back(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
  }
  return list;
}

bool AllowList::allows(const std::string& name) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&name](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
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
