// SPDX-License-Identifier: BSD-3-Clause
#include "checks/cmake_lexer.h"

#include <algorithm>
#include <cctype>

namespace torchpkg {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<CMakeCommand> run() {
    while (at_ < text_.size()) {
      if (peek() == '#') {
        skip_comment();
      } else if (std::isalpha(static_cast<unsigned char>(peek())) != 0 || peek() == '_') {
        read_command();
      } else {
        take();
      }
    }
    return std::move(commands_);
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  char take() {
    const char c = text_[at_++];
    if (c == '\n') ++line_;
    return c;
  }

  /// The length of a bracket's opening (`[==[`) here; 0 when there is none.
  [[nodiscard]] std::size_t bracket_length() const {
    if (peek() != '[') return 0;
    const std::size_t end = text_.find_first_not_of('=', at_ + 1);
    return end != std::string_view::npos && text_[end] == '[' ? end + 1 - at_ : 0;
  }

  std::string read_bracket(std::size_t length) {
    const std::string close = "]" + std::string(length - 2, '=') + "]";
    const std::size_t end = std::min(text_.find(close, at_ + length), text_.size());
    std::string content(
        text_.substr(std::min(at_ + length, end), end - std::min(at_ + length, end)));
    const std::size_t stop = std::min(end + close.size(), text_.size());
    while (at_ < stop) take();
    return content;
  }

  void skip_comment() {
    take();
    if (const std::size_t length = bracket_length(); length > 0) {
      read_bracket(length);
      return;
    }
    while (at_ < text_.size() && peek() != '\n') take();
  }

  std::string read_quoted() {
    std::string content;
    take();
    while (at_ < text_.size() && peek() != '"') {
      if (peek() == '\\') content += take();
      if (at_ < text_.size()) content += take();
    }
    if (at_ < text_.size()) take();
    return content;
  }

  /// Up to a space or a parenthesis that closes the command; quotes and parentheses inside count
  /// as part of it, as in `-DX="a b"` and `$(VAR)`.
  std::string read_unquoted() {
    std::string content;
    while (at_ < text_.size() && !is_space(peek()) && peek() != '(' && peek() != ')' &&
           peek() != '#') {
      if (peek() == '"') {
        content += '"' + read_quoted() + '"';
        continue;
      }
      if (peek() == '\\') content += take();
      if (at_ < text_.size()) content += take();
    }
    return content;
  }

  void read_command() {
    CMakeCommand command;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_') {
      command.name += static_cast<char>(std::tolower(static_cast<unsigned char>(take())));
    }
    while (is_space(peek())) take();
    if (peek() != '(') return;
    take();
    for (int depth = 1; depth > 0 && at_ < text_.size();) {
      const std::size_t line = line_;
      const char c = peek();
      if (is_space(c)) {
        take();
      } else if (c == '(' || c == ')') {
        depth += take() == '(' ? 1 : -1;
      } else if (c == '#') {
        skip_comment();
      } else if (c == '"') {
        command.arguments.push_back({read_quoted(), line});
      } else if (const std::size_t length = bracket_length(); length > 0) {
        command.arguments.push_back({read_bracket(length), line});
      } else {
        command.arguments.push_back({read_unquoted(), line});
      }
    }
    commands_.push_back(std::move(command));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<CMakeCommand> commands_;
};

}  // namespace

std::vector<CMakeCommand> read_cmake(std::string_view text) { return Lexer(text).run(); }

}  // namespace torchpkg
