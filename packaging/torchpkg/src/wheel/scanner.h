// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace torchpkg::wheel {

// Bytes, as the grammars of Python's packaging have them: whatever the locale, ASCII only.

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alphanumeric(char c) { return is_digit(c) || is_letter(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_space(char c) { return is_blank(c) || (c >= '\n' && c <= '\r'); }

/// What may stand within a word. Characters that are not ASCII are taken for letters.
constexpr bool is_word(char c) { return is_alphanumeric(c) || c == '_' || (c & 0x80) != 0; }

/// What is left of a text that a parser reads from its beginning.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  /// What has been read of a text since only `before` was left of it.
  [[nodiscard]] std::string_view since(std::string_view before) const {
    return before.substr(0, before.size() - rest_.size());
  }

  /// Whether a character comes next for which `is` holds.
  template <typename Is>
  [[nodiscard]] bool next_is(Is is) const {
    return !rest_.empty() && is(rest_.front());
  }

  void skip(std::size_t count) { rest_.remove_prefix(count); }

  /// Reads `text` when it comes next, and says whether it did.
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    skip(text.size());
    return true;
  }

  /// The same for a word, which ends where no letter, digit or `_` follows.
  bool take_word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    if (rest_.size() > word.size() && is_word(rest_[word.size()])) return false;
    skip(word.size());
    return true;
  }

  /// Reads characters for as long as `is` holds for them.
  template <typename Is>
  std::string_view take_while(Is is) {
    const std::string_view before = rest_;
    while (next_is(is)) skip(1);
    return since(before);
  }

 private:
  std::string_view rest_;
};

}  // namespace torchpkg::wheel
