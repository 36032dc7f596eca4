// SPDX-License-Identifier: BSD-3-Clause
// One C++ runtime, that of the host, and one ABI of it.
#include <fmt/core.h>

#include <set>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

namespace {

/// All values that a CMake or pkg-config file gives _GLIBCXX_USE_CXX11_ABI: '0', '1'.
std::set<char> abi_flags(const std::string& text) {
  constexpr std::string_view kFlag = "_GLIBCXX_USE_CXX11_ABI=";
  std::set<char> values;
  for (std::size_t at = text.find(kFlag); at != std::string::npos; at = text.find(kFlag, at + 1)) {
    if (at + kFlag.size() < text.size()) values.insert(text[at + kFlag.size()]);
  }
  values.erase('$');  // a variable: its value stands elsewhere
  return values;
}

void check_abi_flags(const Facts& facts, bool want_new, Row& row) {
  constexpr const char* kConfig = "share/cmake/Torch/TorchConfig.cmake";
  const std::string* config = facts.text(kConfig);
  if (config == nullptr) {
    row.wrong(std::string(kConfig) + " is missing");
  } else if (abi_flags(*config).empty()) {
    row.wrong("TorchConfig.cmake does not set _GLIBCXX_USE_CXX11_ABI");
  }
  for (const auto& [path, text] : facts.texts) {
    if (!path.ends_with(".cmake") && !path.ends_with(".pc")) continue;
    for (const char flag : abi_flags(text)) {
      if (flag == (want_new ? '1' : '0')) continue;
      row.wrong(fmt::format("{} says _GLIBCXX_USE_CXX11_ABI={}, the manifest says {}", path, flag,
                            want_new ? 1 : 0));
    }
  }
}

/// libtorch's own libraries, whose interfaces are full of strings.
bool speaks_cxx(const std::string& file) {
  return file.starts_with("libtorch_cpu.so") || file.starts_with("libc10.so") ||
         file == "libtorch_cpu.a" || file == "libc10.a";
}

void check_abi_of(const LibraryFacts& library, bool want_new, Row& row) {
  const CodeFacts& code = library.code;
  if (want_new && code.old_abi > 0) {
    row.wrong(fmt::format("{} has {} of the old ABI, such as {}", library.path,
                          counted(code.old_abi, "symbol"), code.old_abi_example));
  } else if (want_new && code.old_abi_std > 0 && code.new_abi == 0) {
    row.wrong(library.path + " uses the old std::string only");
  } else if (!want_new && code.new_abi > 0 && code.old_abi == 0 &&
             library.file_name() != "libtorch.so") {
    // The official libtorch.so, which has nothing but what GCC linked into it, has the new one.
    row.wrong(
        fmt::format("{} has {} of the new ABI", library.path, counted(code.new_abi, "symbol")));
  }
  if ((want_new ? code.new_abi : code.old_abi) == 0 && speaks_cxx(library.file_name())) {
    row.wrong(
        fmt::format("{} has no symbol of the {} ABI", library.path, want_new ? "new" : "old"));
  }
}

}  // namespace

void check_cxx_abi(const Facts& facts, Row& row) {
  const bool want_new = facts.manifest.cxx11_abi;
  row.limit =
      fmt::format("the host's libstdc++, and its {} ABI everywhere", want_new ? "new" : "old");
  std::size_t symbols = 0;
  const auto look_at = [&](const LibraryFacts& library) {
    symbols += want_new ? library.code.new_abi : library.code.old_abi;
    check_abi_of(library, want_new, row);
  };
  for (const ElfFacts& elf : facts.elves) {
    const std::string name = elf.file_name();
    if (name.starts_with("libstdc++") || elf.code.defines_cxx_runtime) {
      row.wrong(elf.path + " has a C++ runtime of its own: exceptions would not be caught");
    }
    // What was copied may use either ABI inside: NVIDIA's libraries have an interface in C, and
    // cuDNN 9.1 and cuSPARSELt 0.6 old strings behind it.
    if (!facts.manifest.is_bundled(name)) look_at(elf);
  }
  for (const ArchiveFacts& archive : facts.archives) look_at(archive);
  check_abi_flags(facts, want_new, row);
  row.found = counted(symbols, "symbol") + " of it, none of the other";
}

}  // namespace torchpkg
