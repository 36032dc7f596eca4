// SPDX-License-Identifier: BSD-3-Clause
// A conda package: the input as one, and, since no change gets past the checksums of one, the input
// as the tars of a good one, and as its paths.json.
#include <libdeflate.h>

#include "checks/checks.h"
#include "conda/package_reader.h"
#include "fuzz.h"
#include "package/conda_source.h"
#include "zip/format.h"

using torchpkg::Bytes;
using torchpkg::fuzz::may_refuse;
using torchpkg::fuzz::must;
using Content = std::vector<std::uint8_t>;

namespace {

/// A Zstandard frame whose blocks are not compressed: RFC 8878, 3.1.1.
Content zstd_frame(Bytes bytes) {
  constexpr std::size_t kBlock = std::size_t{1} << 17U;
  Content out{0x28, 0xb5, 0x2f, 0xfd, 0, 0x58};
  do {
    const Bytes block = bytes.first(std::min(kBlock, bytes.size()));
    bytes = bytes.subspan(block.size());
    const std::size_t header = block.size() << 3U | (bytes.empty() ? 1U : 0U);
    for (const unsigned shift : {0U, 8U, 16U}) {
      out.push_back(static_cast<std::uint8_t>(header >> shift));
    }
    out.insert(out.end(), block.begin(), block.end());
  } while (!bytes.empty());
  return out;
}

/// Entries of a ZIP file that are not compressed.
class StoredZip {
 public:
  void add(std::string_view name, Bytes content) {
    const auto at = static_cast<std::uint32_t>(out_.size());
    torchpkg::zip::put(out_, torchpkg::zip::kLocalHeader);
    put_common(out_, name, content);
    torchpkg::zip::put_text(out_, name);
    out_.insert(out_.end(), content.begin(), content.end());
    torchpkg::zip::put(directory_, torchpkg::zip::kCentralHeader);
    torchpkg::zip::put(directory_, std::uint16_t{20});
    put_common(directory_, name, content);
    directory_.resize(directory_.size() + 10);  // comment, disk, attributes
    torchpkg::zip::put(directory_, at);
    torchpkg::zip::put_text(directory_, name);
    ++count_;
  }

  Content finish() {
    const auto at = static_cast<std::uint32_t>(out_.size());
    out_.insert(out_.end(), directory_.begin(), directory_.end());
    torchpkg::zip::put(out_, torchpkg::zip::kEndRecord);
    torchpkg::zip::put(out_, std::uint32_t{0});
    torchpkg::zip::put(out_, count_);
    torchpkg::zip::put(out_, count_);
    torchpkg::zip::put(out_, static_cast<std::uint32_t>(directory_.size()));
    torchpkg::zip::put(out_, at);
    torchpkg::zip::put(out_, std::uint16_t{0});
    return std::move(out_);
  }

 private:
  static void put_common(Content& out, std::string_view name, Bytes content) {
    torchpkg::zip::put(out, std::uint16_t{20});
    out.resize(out.size() + 8);  // flags, method, time
    torchpkg::zip::put(out, libdeflate_crc32(0, content.data(), content.size()));
    torchpkg::zip::put(out, static_cast<std::uint32_t>(content.size()));
    torchpkg::zip::put(out, static_cast<std::uint32_t>(content.size()));
    torchpkg::zip::put(out, static_cast<std::uint16_t>(name.size()));
    torchpkg::zip::put(out, std::uint16_t{0});
  }

  Content out_;
  Content directory_;
  std::uint16_t count_ = 0;
};

Content package_of(Bytes tar) {
  constexpr std::string_view kMetadata = "{\"conda_pkg_format_version\": 2}";
  const Content packed = zstd_frame(tar);
  StoredZip zip;
  zip.add("metadata.json",
          {reinterpret_cast<const std::uint8_t*>(kMetadata.data()), kMetadata.size()});
  zip.add("pkg-demo-1.0-h0_0.tar.zst", packed);
  zip.add("info-demo-1.0-h0_0.tar.zst", packed);
  return zip.finish();
}

void read_package(Bytes package) {
  const torchpkg::fuzz::MemoryFile file(package.data(), package.size());
  const torchpkg::CondaSource source(file.path());
  (void)source.manifest();
  (void)source.read_files(1, [&](std::size_t index, Bytes content) {
    must(content.size() <= source.files().at(index).size, "a file has the size that it says");
  });
}

/// What the row `conda` makes of it.
void check_paths(Bytes paths) {
  torchpkg::PackageFacts facts;
  facts.is_archive = true;
  facts.roots = {""};
  facts.conda.emplace();
  facts.files.emplace_back().path = "lib/a";
  facts.sha256["lib/a"] = "00";
  facts.texts["info/paths.json"] = facts.texts["info/files"] = torchpkg::as_text(paths);
  torchpkg::Row row;
  torchpkg::check_conda(facts, row);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const torchpkg::fuzz::GuardedCopy copy(data, size);
  may_refuse([&] { read_package(copy.bytes()); });
  const Content package = package_of(copy.bytes());
  may_refuse([&] { (void)torchpkg::conda::PackageReader(package).stem(); });
  may_refuse([&] { read_package(package); });
  may_refuse([&] { check_paths(copy.bytes()); });
  // What is refused as a package is read nevertheless.
  may_refuse([&] {
    torchpkg::conda::PackageReader(package).for_each(
        torchpkg::conda::PackageReader::Part::kFiles,
        [](const torchpkg::TreeEntry& entry, const auto& content) {
          must(content().size() <= entry.size, "a file has at most the size of its header");
        });
  });
  return 0;
}
