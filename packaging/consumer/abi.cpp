// SPDX-License-Identifier: BSD-3-Clause
//
// Calls one function of libc10 that takes a std::string. Its symbol carries the C++ ABI, so that
// this file links only when it was compiled for the ABI of the package. The macro has to be set
// here: the package's own compile options would win over a definition on the command line.
#undef _GLIBCXX_USE_CXX11_ABI
#define _GLIBCXX_USE_CXX11_ABI CONSUMER_COMPILE_ABI

#include <c10/util/Exception.h>

#include <string>

int main(int argc, char** argv) {
  try {
    c10::detail::torchCheckFail("main", "abi.cpp", 0, std::string(argv[argc - 1]));
  } catch (const c10::Error&) {
    return 0;
  }
  return 1;
}
