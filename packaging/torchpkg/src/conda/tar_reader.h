// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.h"
#include "common/file.h"
#include "common/tree.h"
#include "common/unpack_limits.h"

struct ZSTD_DCtx_s;

namespace torchpkg::conda {

/// Reads a tar in one Zstandard frame, of which every reader makes the same: what writers of conda
/// packages write, and nothing else. That is files, folders, symlinks, hard links and devices,
/// after a pax header with members of kPaxMembers, or after GNU's long names; then zeros. Readers
/// differ in what they make of global headers, sparse files, two headers with a name for one entry,
/// and of what comes after the end.
///
/// Memory is bounded by what limits UnpackLimits sets, and 64 KiB for what stands before an entry.
/// Errors: kBadInput, saying what is wrong; TooLarge.
class TarReader {
 public:
  /// `packed` must outlive the reader. Messages call it `name`.
  TarReader(Bytes packed, std::string name);
  ~TarReader();
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  /// The next entry, with its name and target word for word; none at the end.
  std::optional<TreeEntry> next();

  /// The content of that entry, which next() skips otherwise. To be called at most once.
  std::vector<std::uint8_t> content();

 private:
  /// What headers before an entry say about it.
  struct Before {
    std::string types;
    std::optional<std::string> name;
    std::optional<std::string> target;
    std::optional<std::uint64_t> size;
  };
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  [[nodiscard]] Error bad(const std::string& what) const;
  Bytes some(std::uint64_t most);
  template <typename Take>
  void read(std::uint64_t size, const Take& take);
  [[nodiscard]] std::uint64_t number(std::string_view block, std::size_t at,
                                     std::size_t size) const;
  void check_header(std::string_view block) const;
  void check_rest();
  std::string text(std::uint64_t size);
  void add_pax(std::string_view records, Before& before) const;
  TreeEntry entry(std::string_view block, std::uint64_t size, const Before& before);

  Bytes packed_;
  std::string name_;
  UnpackLimits limits_;
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
  std::vector<std::uint8_t> buffer_;
  Bytes ready_;             ///< what of the buffer was not read yet
  std::size_t used_ = 0;    ///< of what is packed
  std::uint64_t done_ = 0;  ///< what was unpacked
  bool ended_ = false;
  std::uint64_t left_ = 0;  ///< of the entry's content
  std::uint64_t padding_ = 0;
};

}  // namespace torchpkg::conda
