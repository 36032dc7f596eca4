// SPDX-License-Identifier: BSD-3-Clause
// Those of the numbered checks that this product or backend has no use for, so that a report shows
// all fifteen and says why one is not decided.
#include "checks/checks.h"
#include "checks/elf_lookup.h"

namespace torchpkg {

namespace {

Row gpu_row(const PackageFacts& facts, int number, const char* name, const char* limit) {
  Row row{number, name, "manifest", "", limit};
  return not_applicable(std::move(row),
                        facts.manifest.is_cpu()
                            ? "a CPU package"
                            : "decided by running it on a machine with a GPU, not from its files");
}

}  // namespace

Row check_gpu_numerics(const PackageFacts& facts) {
  return gpu_row(facts, 13, "gpu-numerics", "linear algebra and convolutions are right");
}

}  // namespace torchpkg
