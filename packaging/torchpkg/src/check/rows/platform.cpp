// SPDX-License-Identifier: BSD-3-Clause
// Whether the hosts that the package promises can load it.
#include <fmt/core.h>

#include <array>
#include <cctype>
#include <map>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// A family of symbol versions of the host's libraries, and its member of the manifest's platform.
struct Family {
  const char* name;
  const char* member;
};

constexpr std::array<Family, 3> kFamilies = {
    {{"GLIBC", "glibc"}, {"GLIBCXX", "glibcxx"}, {"CXXABI", "cxxabi"}}};

void check_version(const Facts& facts, const ElfFacts& elf, std::string version,
                   std::map<std::string, std::string>& highest, Row& row) {
  // The mark of relative relocations came with glibc 2.36 and has no number.
  if (version == "GLIBC_ABI_DT_RELR") version = "GLIBC_2.36";
  const std::size_t end = version.find('_');
  for (const Family& family : kFamilies) {
    if (version.substr(0, end) != family.name) continue;
    const std::string number = version.substr(end + 1);
    if (std::isdigit(static_cast<unsigned char>(number[0])) == 0) {
      row.wrong(fmt::format("{} needs {}, which only one build of the host's library has", elf.path,
                            version));
      return;
    }
    std::string& top = highest[family.name];
    if (compare_versions(number, top) > 0) top = number;
    const auto claimed = facts.manifest.platform.find(family.member);
    const std::string limit = claimed == facts.manifest.platform.end() ? "" : claimed->second;
    if (compare_versions(number, limit) > 0) {
      row.wrong(fmt::format("{} needs {} {}, the package claims {}", elf.path, family.name, number,
                            limit));
    }
  }
}

void check_loading(const ElfFacts& elf, Row& row) {
  if (elf.executable_stack) {
    row.wrong(elf.path +
              " asks for an executable stack, which hosts refuse: glibc 2.41 in dlopen(), SELinux "
              "always");
  }
  if (elf.dynamic.text_relocations) {
    row.wrong(elf.path + " has text relocations, which SELinux refuses");
  }
  // Level 1 is what every x86-64 has.
  if (elf.x86_level > 1) {
    row.wrong(fmt::format("{} can only be loaded on x86-64-v{}: its property note says so",
                          elf.path, elf.x86_level));
  }
}

}  // namespace

void check_platform(const Facts& facts, Row& row) {
  std::vector<std::string> limits;
  for (const Family& family : kFamilies) {
    const auto claimed = facts.manifest.platform.find(family.member);
    if (claimed != facts.manifest.platform.end()) {
      limits.push_back(fmt::format("{} {}", family.name, claimed->second));
    }
  }
  row.limit = join(limits, ", ") + ", one machine, no executable stack";
  std::map<std::string, std::string> highest;
  std::map<std::string, std::string> machines;  // and a file for each
  for (const ElfFacts& elf : facts.elves) {
    machines.emplace(fmt::format("{}, {} bits", elf.machine, elf.bits), elf.path);
    for (const NeededVersion& needed : elf.dynamic.needed_versions) {
      check_version(facts, elf, needed.version, highest, row);
    }
    check_loading(elf, row);
  }
  for (const ArchiveFacts& archive : facts.archives) {
    for (const std::string& machine : archive.machines) {
      machines.emplace(machine + ", 64 bits", archive.path);
    }
    for (const std::string& member : archive.executable_stack) {
      row.wrong(member + " makes the stack of every program that has it executable");
    }
  }
  if (machines.size() > 1) {
    const auto& [first, first_file] = *machines.begin();
    const auto& [last, last_file] = *machines.rbegin();
    row.wrong(fmt::format("{} is for {}, {} for {}", first_file, first, last_file, last));
  }
  row.found = "highest needed:";
  for (const auto& [family, version] : highest) row.found += fmt::format(" {} {}", family, version);
}

}  // namespace torchpkg
