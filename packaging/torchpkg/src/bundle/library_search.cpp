// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/library_search.h"

#include <array>
#include <system_error>
#include <utility>

#include "common/error.h"
#include "common/file.h"
#include "common/process.h"
#include "common/text.h"
#include "elf/elf_image.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

bool fits(const fs::path& file, const std::string& machine, int bits) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  const MappedFile mapped(file);
  if (!is_elf(mapped.bytes())) return false;  // a linker script, for instance
  const ElfImage image(mapped.bytes(), file.string());
  return image.machine() == machine && image.bits() == bits;
}

}  // namespace

LibrarySearch::LibrarySearch(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

void LibrarySearch::read_system_cache() {
  cache_read_ = true;
  try {
    // A line: "\tlibz.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libz.so.1"
    for (const std::string& line : split(run_command({"/sbin/ldconfig", "-p"}).output, '\n')) {
      const std::size_t begin = line.find_first_not_of(" \t");
      const std::size_t arrow = line.find(" => ");
      const std::size_t space = line.find(' ', begin == std::string::npos ? 0 : begin);
      if (begin == std::string::npos || arrow == std::string::npos) continue;
      cache_.emplace(line.substr(begin, space - begin), line.substr(arrow + 4));
    }
  } catch (const Error&) {
    // No ldconfig here: the standard folders remain.
  }
}

std::optional<fs::path> LibrarySearch::find(const std::string& name, const std::string& machine,
                                            int bits) {
  for (const fs::path& folder : folders_) {
    if (fits(folder / name, machine, bits)) return fs::canonical(folder / name);
  }
  if (!cache_read_) read_system_cache();
  const auto [first, last] = cache_.equal_range(name);
  for (auto it = first; it != last; ++it) {
    if (fits(it->second, machine, bits)) return fs::canonical(it->second);
  }
  const std::string multiarch = machine + "-linux-gnu";
  const std::array<fs::path, 8> standard = {fs::path("/lib") / multiarch,
                                            fs::path("/usr/lib") / multiarch,
                                            "/lib64",
                                            "/usr/lib64",
                                            "/usr/local/lib64",
                                            "/usr/local/lib",
                                            "/lib",
                                            "/usr/lib"};
  for (const fs::path& folder : standard) {
    if (fits(folder / name, machine, bits)) return fs::canonical(folder / name);
  }
  return std::nullopt;
}

}  // namespace torchpkg
