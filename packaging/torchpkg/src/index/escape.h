// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace torchpkg::index {

/// Text for HTML, in content and in quoted attributes.
std::string html(std::string_view text);

/// A file name for a URL: everything but letters, digits and `-._~` becomes %XX. So does `+`, which
/// some object stores take for a blank.
std::string url(std::string_view name);

}  // namespace torchpkg::index
