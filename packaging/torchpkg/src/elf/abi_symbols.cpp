// SPDX-License-Identifier: BSD-3-Clause
#include "elf/abi_symbols.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <string>

namespace torchpkg {

namespace {

/// Whether `word` stands in `text`, not as the beginning of a longer identifier.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const auto next = end < text.size() ? static_cast<unsigned char>(text[end]) : '\0';
    if (std::isalnum(next) == 0 && next != '_') return true;
  }
  return false;
}

/// Whether a mangled name refers back to its own parts (`S0_`, `T_`) so often that it may be
/// gigabytes long when it is written out: each time it can become twice as long. The old ABI shows
/// in plenty of names that do not.
bool may_be_huge(std::string_view mangled) {
  constexpr int kMost = 24;
  int references = 0;
  for (std::size_t at = mangled.find_first_of("ST"); at != std::string_view::npos;
       at = mangled.find_first_of("ST", at + 1)) {
    const std::size_t end =
        mangled.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != std::string_view::npos && mangled[end] == '_' && ++references > kMost) return true;
  }
  return false;
}

}  // namespace

StringAbi string_abi_of(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return StringAbi::kNone;
  if (mangled.find("St7__cxx11") != std::string_view::npos ||
      mangled.find("B5cxx11") != std::string_view::npos) {
    return StringAbi::kNew;
  }
  // `Ss` is the old std::string, `St4list` the old std::list; but both can be part of an
  // identifier, so the few candidates are demangled.
  if (mangled.find("Ss") == std::string_view::npos &&
      mangled.find("St4list") == std::string_view::npos) {
    return StringAbi::kNone;
  }
  if (may_be_huge(mangled)) return StringAbi::kNone;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0 || !plain) return StringAbi::kNone;
  const std::string_view text(plain.get());
  if (!has_word(text, "std::string") && !has_word(text, "std::list")) return StringAbi::kNone;
  const bool standard = mangled.starts_with("_ZS") || mangled.starts_with("_ZNS") ||
                        mangled.starts_with("_ZNKS") || mangled.starts_with("_ZTVS") ||
                        mangled.starts_with("_ZTIS") || mangled.starts_with("_ZTSS") ||
                        mangled.starts_with("_ZGVN") || mangled.starts_with("_ZSt");
  return standard ? StringAbi::kOldStd : StringAbi::kOld;
}

}  // namespace torchpkg
