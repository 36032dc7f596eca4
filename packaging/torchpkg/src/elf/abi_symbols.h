// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace torchpkg {

/// Which of libstdc++'s two ABIs a symbol's mangled name belongs to.
enum class StringAbi {
  kNone,    ///< names neither kind of string or list
  kNew,     ///< std::__cxx11 (_GLIBCXX_USE_CXX11_ABI=1)
  kOld,     ///< the old std::string or std::list, in a name of one of our libraries
  kOldStd,  ///< the same, in a name of the standard library itself
};

/// Looks at one mangled name.
StringAbi string_abi_of(std::string_view mangled);

}  // namespace torchpkg
