// SPDX-License-Identifier: BSD-3-Clause
#include <string>
int length(const std::string& text) { return static_cast<int>(text.size()); }
