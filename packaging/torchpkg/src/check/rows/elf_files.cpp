// SPDX-License-Identifier: BSD-3-Clause
#include "check/rows.h"

namespace torchpkg {

void check_elf_files(const Facts& facts, Row& row) {
  row.limit = "every library is one, and can be read";
  row.details = facts.damaged;
  row.found = "all can be read";
}

}  // namespace torchpkg
