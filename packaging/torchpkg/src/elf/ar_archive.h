// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/file.h"

namespace torchpkg {

/// Whether `bytes` begin as archives of objects (`.a`) do, thin ones included.
bool is_ar(Bytes bytes);

/// A file in an archive.
struct ArMember {
  std::string name;  ///< in a thin archive the file's path, relative to the archive's folder
  Bytes content;     ///< empty in a thin archive, which only names its files
};

/// A static library that lies in memory. Every length is checked before it is used; each message
/// says what is wrong and at which byte.
class ArArchive {
 public:
  /// `bytes` must outlive the archive; `name` is for messages. Error: kBadInput.
  ArArchive(Bytes bytes, std::string name);

  /// All files but the index and the table of long names, in the archive's order.
  [[nodiscard]] const std::vector<ArMember>& members() const { return members_; }

  /// Whether the members lie elsewhere and the archive only names them.
  [[nodiscard]] bool thin() const { return thin_; }

  /// Whether there is the index by which linkers find symbols.
  [[nodiscard]] bool has_index() const { return has_index_; }

  /// The symbols of the index, in its order. Error: kBadInput.
  [[nodiscard]] std::vector<std::string_view> index() const;

 private:
  struct Header {
    std::string_view name;
    std::uint64_t size = 0;
  };

  /// Says that byte `at` of this archive is damaged. Error: always kBadInput.
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;

  [[nodiscard]] Header read_header(std::uint64_t at) const;
  [[nodiscard]] std::string member_name(const Header& header, std::uint64_t at) const;
  void read();

  Bytes bytes_;
  std::string name_;
  bool thin_ = false;
  bool has_index_ = false;
  bool wide_index_ = false;  ///< its numbers have 64 bits
  Bytes index_;
  std::uint64_t index_at_ = 0;
  std::string_view long_names_;
  std::vector<ArMember> members_;
};

}  // namespace torchpkg
