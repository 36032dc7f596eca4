// SPDX-License-Identifier: BSD-3-Clause
#include "elf/host_elf.h"

#include <elf.h>

#include <cstddef>

namespace torchpkg {

bool is_host_elf(std::string_view path, Bytes bytes) {
  if (!is_elf(bytes)) return false;
  if (!path.ends_with(".hsaco") && !path.ends_with(".co")) return true;
  const std::size_t machine = offsetof(Elf64_Ehdr, e_machine);
  return bytes.size() < machine + 2 || bytes[machine] + 256 * bytes[machine + 1] != EM_AMDGPU;
}

}  // namespace torchpkg
