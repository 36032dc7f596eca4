// SPDX-License-Identifier: BSD-3-Clause
// A ZIP file: its directory, the content of each entry, its tree, and the package in it.
#include "fuzz.h"
#include "package/package_source.h"
#include "zip/tree.h"

using torchpkg::Bytes;
using torchpkg::fuzz::may_refuse;
using torchpkg::fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  may_refuse([&] {
    const torchpkg::zip::Reader reader(copy.bytes());
    for (const torchpkg::zip::Entry& entry : reader.entries()) {
      may_refuse([&] {
        must(reader.content(entry).size() == entry.size, "an entry has the size that it says");
      });
    }
    (void)reader.layout_problems();
    (void)torchpkg::tree_problems(torchpkg::zip::read_tree(reader), {});
  });
  const torchpkg::fuzz::MemoryFile file(data, size);
  may_refuse([&] {
    const auto package = torchpkg::open_package(file.path());
    (void)package->read_files(1, [](std::size_t, Bytes) {});
  });
  return 0;
}
