// SPDX-License-Identifier: BSD-3-Clause
#include "archive/shell_words.h"

#include <fmt/core.h>

#include <utility>

#include "common/error.h"

namespace torchpkg {

namespace {

using Words = std::vector<std::string>;

/// Takes a text apart; each of `separators` ends a command.
class Splitter {
 public:
  Splitter(std::string_view text, std::string_view separators, const std::string& name)
      : text_(text), separators_(separators), name_(name) {}

  std::vector<Words> split() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\'') {
        read_single_quoted();
      } else if (c == '"') {
        read_double_quoted();
      } else if (c == '\\') {
        read_escaped();
      } else if (separators_.find(c) != std::string_view::npos) {
        end_command();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        end_word();
      } else {
        add(c);
      }
    }
    end_command();
    return std::move(commands_);
  }

 private:
  void add(char c) {
    word_ += c;
    in_word_ = true;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  void end_command() {
    end_word();
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
  }

  void read_escaped() {
    if (at_ == text_.size()) return add('\\');
    const char c = text_[at_++];
    if (c != '\n') add(c);  // else the line goes on
  }

  void read_single_quoted() {
    in_word_ = true;  // '' is a word
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) fail(at_ - 1);
    word_ += text_.substr(at_, end - at_);
    at_ = end + 1;
  }

  void read_double_quoted() {
    in_word_ = true;
    const std::size_t begin = at_ - 1;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      const bool escape = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                          std::string_view("$`\"\\\n").find(text_[at_ + 1]) != std::string::npos;
      if (escape && text_[++at_] == '\n') continue;
      word_ += text_[at_];
    }
    if (at_ == text_.size()) fail(begin);
    ++at_;
  }

  [[noreturn]] void fail(std::size_t at) const {
    throw Error(ExitCode::kBadInput, fmt::format("{}: byte {}: the quote is not closed", name_, at),
                "give the whole command as ninja -t commands -s prints it");
  }

  std::string_view text_;
  std::string_view separators_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  Words words_;
  std::vector<Words> commands_;
};

}  // namespace

std::vector<Words> shell_commands(std::string_view text, const std::string& name) {
  return Splitter(text, "&|;\n", name).split();
}

Words response_words(std::string_view text, const std::string& name) {
  std::vector<Words> commands = Splitter(text, "", name).split();
  return commands.empty() ? Words{} : std::move(commands.front());
}

}  // namespace torchpkg
