// SPDX-License-Identifier: BSD-3-Clause
#include "fat_binaries.h"

#include <cstdlib>

namespace torchpkg::test {

std::string little_endian(std::uint64_t value, unsigned size) {
  std::string bytes;
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
  return bytes;
}

namespace {

unsigned kind_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::kPtx:
      return 1;
    case CodeKind::kSass:
      return 2;
    case CodeKind::kLtoIr:
      return 8;
    case CodeKind::kOther:
      break;
  }
  return 0x40;
}

std::string entry(const CodeTarget& target, std::size_t code_size) {
  const std::uint32_t header = target.kind == CodeKind::kSass ? 64 : 80;
  std::string code = target.kind == CodeKind::kSass ? "\x7f"
                                                      "ELF.."
                                                    : "PTX.....";
  if (code_size != 0) code = sample_bytes(code_size, target.arch.number);
  const std::uint64_t size = (code.size() + 7) / 8 * 8;
  std::uint64_t flags = 0x11;
  if (target.arch.variant == 'a') flags |= 0x100000;
  if (target.arch.variant == 'f') flags |= 0x200000;
  std::string bytes = little_endian(kind_of(target.kind), 2) + little_endian(0x101, 2) +
                      little_endian(header, 4) + little_endian(size, 8) + little_endian(0, 8) +
                      little_endian(0x10007, 4) + little_endian(target.arch.number, 4) +
                      little_endian(0, 8) + little_endian(flags, 8);
  bytes.resize(header);
  bytes += code;
  bytes.resize(header + size);
  return bytes;
}

}  // namespace

CodeTarget target(const std::string& name) {
  const std::size_t digits = name.find('_') + 1;
  CodeTarget target;
  target.kind = name.starts_with("sm_")        ? CodeKind::kSass
                : name.starts_with("compute_") ? CodeKind::kPtx
                : name.starts_with("lto_")     ? CodeKind::kLtoIr
                                               : CodeKind::kOther;
  target.arch.number = static_cast<std::uint32_t>(std::atoi(name.c_str() + digits));
  if (name.ends_with('a') || name.ends_with('f')) target.arch.variant = name.back();
  return target;
}

std::vector<CodeTarget> targets(const std::vector<std::string>& names) {
  std::vector<CodeTarget> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(target(name));
  return all;
}

std::string fat_binary(const std::vector<std::string>& names, std::size_t code_size) {
  std::string entries;
  for (const std::string& name : names) entries += entry(target(name), code_size);
  return little_endian(0xBA55ED50, 4) + little_endian(1, 2) + little_endian(16, 2) +
         little_endian(entries.size(), 8) + entries;
}

std::string offload_bundle(const std::vector<std::string>& gpus) {
  std::vector<std::string> names = {"host-x86_64-unknown-linux-gnu-"};
  for (const std::string& gpu : gpus) names.push_back("hipv4-amdgcn-amd-amdhsa--" + gpu);
  std::string table = "__CLANG_OFFLOAD_BUNDLE__" + little_endian(names.size(), 8);
  constexpr std::uint64_t kCode = 4096;
  for (std::size_t i = 0; i < names.size(); ++i) {
    table += little_endian(kCode + 8 * i, 8) + little_endian(i == 0 ? 0 : 8, 8) +
             little_endian(names[i].size(), 8) + names[i];
  }
  table.resize(kCode + 8 * names.size(), 'c');
  return table;
}

std::string source_with_section(const fs::path& output, const std::string& section,
                                const std::string& content, const std::string& more) {
  const fs::path file = output.string() + ".bin";
  write_file(file, content);
  return "__asm__(\".section " + section + ",\\\"a\\\"\\n.balign 8\\n.incbin \\\"" + file.string() +
         "\\\"\\n.previous\\n\");\n" + more;
}

}  // namespace torchpkg::test
