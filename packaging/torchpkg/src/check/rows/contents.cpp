// SPDX-License-Identifier: BSD-3-Clause
#include <regex>

#include "check/rows.h"

namespace torchpkg {

void check_contents(const Facts& facts, Row& row) {
  const Manifest& manifest = facts.manifest;
  // A compiler looks into include/ before the folders of the system, into third_party/ after them.
  static const std::regex kOther("include/(?!(ATen|c10|caffe2|torch|third_party)/).*");
  row.limit = manifest.is_static ? "no libtorch as a shared library" : "no static library";
  row.limit += manifest.with_deps ? "" : ", nothing bundled";
  for (const auto& [path, target] : facts.files) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool shared = name.find(".so") != std::string::npos;
    if (facts.kind == Facts::Kind::kLibtorch && shared &&
        (name.starts_with("libtorch_python") || name.starts_with("libpython"))) {
      row.wrong(path + " is for Python only");
    } else if (!manifest.is_static && name.ends_with(".a")) {
      row.wrong(path + " is a static library in a shared package");
    } else if (manifest.is_static && shared &&
               (name.starts_with("libtorch") || name.starts_with("libc10"))) {
      row.wrong(path + " is a shared library in a static package");
    } else if (facts.kind == Facts::Kind::kLibtorch && std::regex_match(path, kOther)) {
      row.wrong(path + " is a header of another project that is not in include/third_party");
    }
  }
  for (const ElfFacts& elf : facts.elves) {
    if (manifest.with_deps || elf.program || facts.is_own(elf.file_name())) continue;
    row.wrong(elf.path + " is bundled in a package without deps");
  }
  row.found = "nothing that does not belong here";
}

}  // namespace torchpkg
