// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace torchpkg {

/// A list that lies in a package against its files: each listed once, with the same said about it,
/// and nothing else. `listed`: a path, and what the list says about it; `inside`: what it should.
void compare_list(const std::string& list,
                  const std::vector<std::pair<std::string, std::string>>& listed,
                  const std::map<std::string, std::string>& inside,
                  std::vector<std::string>& wrong);

}  // namespace torchpkg
