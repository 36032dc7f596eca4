// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// The simple commands of a shell script, each as its words. Quotes and backslashes are taken off
/// as a shell does; `&&`, `||`, `|`, `;`, `&` and the end of a line separate commands. Variables,
/// patterns, comments and redirections are left as they stand: Ninja's commands have none that
/// matter here.
/// `name`: the file that `text` is from, for the message. Error: kBadInput (a quote is not closed).
std::vector<std::vector<std::string>> shell_commands(std::string_view text,
                                                     const std::string& name);

/// The words of a response file (`@file`): blanks and line ends separate them, quotes and
/// backslashes work as in a shell. Error: kBadInput (a quote is not closed).
std::vector<std::string> response_words(std::string_view text, const std::string& name);

}  // namespace torchpkg
