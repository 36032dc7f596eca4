// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheel/platform_tag.h"

namespace torchpkg::wheel {

/// Whether a file is an extension module of another Python than `python` ("cp311"), by its suffix:
/// `.cpython-312-x86_64-linux-gnu.so`.
bool is_for_other_python(std::string_view path, std::string_view python);

/// What is wrong with a platform tag, given the one that the ELF files allow; empty when nothing
/// is. `linux_...` promises nothing and is never wrong.
std::string wrong_platform(const std::string& claimed, const PlatformTag& found);

/// The name of a wheel's file: `torch-9.9.0+cpu-cp311-cp311-manylinux_2_35_x86_64.whl`. All parts
/// are empty when it is none.
/// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
struct WheelName {
  std::string name;
  std::string version;
  std::string python;
  std::string abi;
  std::string platform;
};
WheelName parse_wheel_name(std::string_view file);

/// The tags that stand for a name, sorted: `py2.py3-none-any` is two.
std::vector<std::string> tags_of(const WheelName& name);

}  // namespace torchpkg::wheel
