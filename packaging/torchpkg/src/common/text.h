// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// The parts of `text` between `separator`s, empty ones left out.
std::vector<std::string> split(std::string_view text, char separator);

/// `items` with `separator` between them.
std::string join(const std::vector<std::string>& items, std::string_view separator);

/// The first `limit` items, and how many more there are: "a, b, c and 5 more".
std::string join_some(const std::vector<std::string>& items, std::size_t limit);

/// "1 file", "2 files"; with `several`, "2 libraries".
std::string counted(std::size_t count, std::string_view one, std::string_view several = {});

/// `text` without the whitespace around it.
std::string_view trimmed(std::string_view text);

/// `text` for a terminal: control characters become `\x1b`.
std::string printable(std::string_view text);

/// "512 B", "3.1 MiB".
std::string human_size(std::uint64_t bytes);

/// Compares dotted version numbers ("2.36" < "2.36.1" < "2.100"); below, equal, above zero.
int compare_versions(std::string_view left, std::string_view right);

}  // namespace torchpkg
