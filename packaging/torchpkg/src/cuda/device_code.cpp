// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/device_code.h"

#include <fmt/core.h>

#include <algorithm>

#include "common/error.h"
#include "cuda/fat_binary.h"

namespace torchpkg {

namespace {

class Reader {
 public:
  Reader(DeviceCode& code, std::string where) : code_(code), where_(std::move(where)) {}

  void read(const ElfImage& image) {
    image.for_each_content([this](std::string_view name, Bytes content) {
      if (is_section_of_fat_binaries(name)) read_section(std::string(name), content);
    });
  }

  void note_problem(const std::string& what) {
    if (code_.problem.empty()) code_.problem = what;
  }

 private:
  void read_section(const std::string& name, Bytes content) {
    try {
      for_each_fat_binary(content, [&](std::uint64_t at, const FatBinary& found) {
        add(found, fmt::format("{}byte {} of {}", where_, at, name));
      });
    } catch (const Error& error) {
      note_problem(fmt::format("{}{}: {}", where_, name, error.what()));
    }
  }

  void add(const FatBinary& found, std::string where) {
    ++code_.fat_binaries;
    code_.bytes += found.size;
    for (const FatBinary::Entry& entry : found.entries) code_.sizes[entry.target] += entry.size;
    std::vector<CodeTarget> targets = found.targets();
    if (targets.empty()) return;
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    FatBinaryGroup& group = code_.groups[std::move(targets)];
    if (group.count++ == 0) group.first = std::move(where);
  }

  DeviceCode& code_;
  std::string where_;
};

}  // namespace

DeviceCode read_device_code(const ElfImage& image) {
  DeviceCode code;
  Reader(code, "").read(image);
  return code;
}

DeviceCode read_device_code(const ArArchive& archive) {
  DeviceCode code;
  for (const ArMember& member : archive.members()) {
    if (!is_elf(member.content)) continue;
    Reader reader(code, member.name + ": ");
    try {
      reader.read(ElfImage(member.content, member.name));
    } catch (const Error& error) {
      reader.note_problem(error.what());
    }
  }
  return code;
}

}  // namespace torchpkg
