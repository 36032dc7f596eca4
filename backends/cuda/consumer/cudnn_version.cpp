// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <string>

// That of the library which is loaded, "9.10.2"; "" when there is none. PyTorch's own answer is the
// version of the header in some releases.
std::string cudnn_version_of_library() {
  using Function = size_t (*)();
  const auto version = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "cudnnGetVersion"));
  if (version == nullptr) {
    return "";
  }
  const size_t number = version();  // 91002
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}
