// SPDX-License-Identifier: BSD-3-Clause
// A compiler without AVX-512 makes a slower libtorch, without a word.
#include <fmt/core.h>

#include "check/rows.h"
#include "common/text.h"

namespace torchpkg {

void check_cpu_kernels(const Facts& facts, Row& row) {
  row.limit = "kernels for AVX2 and AVX-512";
  std::size_t avx2 = 0;
  std::size_t avx512 = 0;
  bool found = false;
  const auto look_at = [&](const LibraryFacts& library, bool x86_64) {
    const std::string name = library.file_name();
    if (!x86_64 || !name.starts_with("libtorch_cpu.")) return;
    found = true;
    avx2 += library.code.avx2;
    avx512 += library.code.avx512;
  };
  for (const ElfFacts& elf : facts.elves) look_at(elf, elf.machine == "x86_64");
  for (const ArchiveFacts& archive : facts.archives) {
    look_at(archive, archive.machines.count("x86_64") != 0);
  }
  if (!found) return row.not_applicable("there is no libtorch_cpu for x86_64");
  if (avx2 == 0) row.wrong("libtorch_cpu has no kernel for AVX2");
  if (avx512 == 0) row.wrong("libtorch_cpu has no kernel for AVX-512");
  row.found = fmt::format("{} for AVX2, {} for AVX-512", counted(avx2, "table"), avx512);
}

}  // namespace torchpkg
