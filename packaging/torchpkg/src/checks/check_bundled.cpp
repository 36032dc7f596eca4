// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <cctype>
#include <set>

#include "checks/checks.h"
#include "package/elf_lookup.h"

namespace torchpkg {

namespace {

/// PyTorch's own libraries, which are built and not copied.
bool is_own(const std::string& name) {
  return is_extension_module(name) || name.starts_with("libtorch") || name.starts_with("libc10") ||
         name.starts_with("libcaffe2") || name.starts_with("libshm");
}

/// The hash in a name such as `libz-0123abcd.so.1`; empty without one.
std::string hash_in_name(const std::string& name) {
  const std::size_t end = name.find(".so");
  if (end == std::string::npos || end < 9 || name[end - 9] != '-') return {};
  std::string hash = name.substr(end - 8, 8);
  for (const char c : hash) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0 || (c >= 'a' && c <= 'f');
    if (!digit) return {};
  }
  return hash;
}

}  // namespace

void check_bundled(const PackageFacts& facts, Row& row) {
  const Manifest& manifest = facts.manifest;
  row.looked_at = fmt::format("manifest, {}", elf_count(facts));
  row.limit = manifest.with_deps() ? "every copied library is in the manifest, by name and hash"
                                   : "nothing is bundled";
  std::vector<std::string> wrong;
  std::set<std::string> listed;
  for (const ManifestBundled& library : manifest.bundled) {
    listed.insert(library.file);
    if (facts.paths.count("lib/" + library.file) == 0) {
      wrong.push_back(
          fmt::format("the manifest lists {} as bundled, but lib/ has no such file", library.file));
    }
    const std::string hash = hash_in_name(library.file);
    if (!hash.empty() && !library.sha256.starts_with(hash)) {
      wrong.push_back(fmt::format("{} is named after another file than that with the sha256 {}",
                                  library.file, library.sha256));
    }
    if (!manifest.with_deps()) wrong.push_back(library.file + " is bundled");
  }
  std::size_t copied = 0;
  for (const ElfFacts& elf : facts.elves) {
    const std::string name = elf.file_name();
    if (elf.info.program || elf.info.type != "shared" || is_own(name)) continue;
    ++copied;
    if (listed.count(name) == 0) {
      wrong.push_back(elf.path + " is not PyTorch's, and the manifest does not list it as bundled");
    }
  }
  row.decide(std::move(wrong), fmt::format("{} libraries", copied));
}

}  // namespace torchpkg
