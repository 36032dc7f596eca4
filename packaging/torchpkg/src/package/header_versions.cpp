// SPDX-License-Identifier: BSD-3-Clause
#include "package/header_versions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace torchpkg {

std::string defined_number(std::string_view header, const std::string& name) {
  const std::string define = "#define " + name + " ";
  const std::size_t at = header.find(define);
  if (at == std::string_view::npos) return {};
  const std::size_t begin =
      std::min(header.find_first_not_of(' ', at + define.size()), header.size());
  std::size_t end = begin;
  while (end < header.size() && std::isdigit(static_cast<unsigned char>(header[end])) != 0) ++end;
  return std::string(header.substr(begin, end - begin));
}

const std::vector<VersionHeader>& version_headers() {
  static const std::vector<VersionHeader> headers = {
      {"onednn", "include/third_party/oneapi/dnnl/dnnl_version.h"},
      {"pybind11", "include/third_party/pybind11/detail/common.h"},
      {"fmt", "include/third_party/fmt/base.h"},
      {"fmt", "include/third_party/fmt/core.h"},
      {"onednn", "include/oneapi/dnnl/dnnl_version.h"},
      {"pybind11", "include/pybind11/detail/common.h"},
      {"fmt", "include/fmt/base.h"},
      {"fmt", "include/fmt/core.h"}};
  return headers;
}

bool is_header_with_version(std::string_view path) {
  return std::any_of(version_headers().begin(), version_headers().end(),
                     [path](const VersionHeader& header) { return header.path == path; });
}

std::string version_in_header(std::string_view source, std::string_view header) {
  if (source == "fmt") {
    // One number: 110101 is 11.1.1.
    const int number = std::atoi(defined_number(header, "FMT_VERSION").c_str());
    return number == 0 ? std::string()
                       : fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
  }
  const std::string prefix = source == "onednn" ? "DNNL_VERSION_" : "PYBIND11_VERSION_";
  const std::string major = defined_number(header, prefix + "MAJOR");
  const std::string minor = defined_number(header, prefix + "MINOR");
  const std::string patch = defined_number(header, prefix + "PATCH");
  if (major.empty() || minor.empty() || patch.empty()) return {};
  return major + "." + minor + "." + patch;
}

}  // namespace torchpkg
