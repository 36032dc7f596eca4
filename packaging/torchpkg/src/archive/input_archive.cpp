// SPDX-License-Identifier: BSD-3-Clause
#include "archive/input_archive.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "archive/object_symbols.h"
#include "common/error.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

/// Text where a static library should be is a linker script, as of glibc's libm.a.
Bytes checked(Bytes bytes, const fs::path& path) {
  if (is_ar(bytes)) return bytes;
  throw Error(ExitCode::kBadInput,
              path.string() + " is no static library (a linker script, perhaps)",
              "link the shared library with the static libraries themselves");
}

}  // namespace

MappedFile map_input(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(ExitCode::kBadInput, path.string() + " is not there", "build it first");
  }
  return MappedFile(path);
}

InputArchive::InputArchive(fs::path path)
    : path_(std::move(path)),
      file_(map_input(path_)),
      archive_(checked(file_.bytes(), path_), path_.string()) {}

std::string InputArchive::label(std::size_t member) const {
  return fmt::format("{}({})", path_.string(), members()[member].name);
}

std::string InputArchive::member_name(std::size_t member) const {
  return fs::path(members()[member].name).filename().string();
}

Bytes InputArchive::content(std::size_t member) {
  if (!thin()) return members()[member].content;
  const fs::path file = path_.parent_path() / members()[member].name;
  std::error_code error;
  if (!fs::exists(file, error)) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{} is a thin archive, and its member {} is not there", path_.string(),
                            file.string()),
                "build it first");
  }
  return thin_members_.emplace_back(file).bytes();
}

std::vector<InputArchive::Definition> InputArchive::indexed_definitions() const {
  std::vector<Definition> definitions;
  for (const ArIndexEntry& entry : archive_.index_entries()) {
    const auto member =
        std::lower_bound(members().begin(), members().end(), entry.member_at,
                         [](const ArMember& one, std::uint64_t at) { return one.at < at; });
    if (member == members().end() || member->at != entry.member_at) {
      archive_.fail(archive_.index_at(),
                    fmt::format("the index says that {} is defined at byte {}, where no member "
                                "begins",
                                entry.symbol, entry.member_at));
    }
    const auto position = static_cast<std::size_t>(member - members().begin());
    definitions.push_back({entry.symbol, position});
  }
  return definitions;
}

std::vector<InputArchive::Definition> InputArchive::definitions() {
  if (archive_.has_index()) return indexed_definitions();
  std::vector<Definition> definitions;
  for (std::size_t i = 0; i < members().size(); ++i) {
    const ObjectSymbols object = read_object_symbols(content(i), label(i), false);
    for (const ObjectSymbol& symbol : object.symbols) {
      if (symbol.use != SymbolUse::kNeeded) definitions.push_back({symbol.name, i});
    }
  }
  return definitions;
}

}  // namespace torchpkg
