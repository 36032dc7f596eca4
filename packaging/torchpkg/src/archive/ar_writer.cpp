// SPDX-License-Identifier: BSD-3-Clause
#include "archive/ar_writer.h"

#include <fmt/core.h>

#include <string_view>
#include <unordered_map>

#include "common/interrupt.h"
#include "zip/output_file.h"

namespace torchpkg {

namespace {

constexpr std::string_view kMagic = "!<arch>\n";
constexpr std::uint64_t kHeaderSize = 60;

/// A name with the `/` that ends it has to fit in 16 characters.
constexpr std::size_t kLongestShortName = 15;

constexpr std::uint64_t even(std::uint64_t size) { return size + size % 2; }

Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The header of one of the archive's own tables, or of an object.
std::string header(std::string_view name, std::string_view mode, std::uint64_t size) {
  return fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, mode, size);
}

/// GNU's table of names leaves all but its size blank.
std::string name_table_header(std::uint64_t size) {
  return fmt::format("{:<48}{:<10}`\n", "//", size);
}

class ArWriter {
 public:
  ArWriter(const std::filesystem::path& output, const std::vector<ArEntry>& entries)
      : entries_(entries), file_(output) {}

  ArSummary write(std::uint64_t narrow_reach) {
    name_members();
    count_symbols();
    lay_out(4);
    if (!offsets_.empty() && offsets_.back() > narrow_reach) lay_out(8);
    file_.append(as_bytes(kMagic));
    write_index();
    write_names();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      InterruptGuard::check();
      write_member(i);
    }
    file_.commit();
    return {file_.position(), symbols_};
  }

 private:
  /// Short names stand in the header; long ones in a table, each once.
  void name_members() {
    std::unordered_map<std::string_view, std::string> known;
    for (const ArEntry& entry : entries_) {
      if (entry.name.size() <= kLongestShortName) {
        names_.push_back(entry.name + "/");
        continue;
      }
      const auto [place, first] = known.try_emplace(entry.name, fmt::format("/{}", table_.size()));
      if (first) table_ += entry.name + "/\n";
      names_.push_back(place->second);
    }
    if (table_.size() % 2 != 0) table_ += '\n';
  }

  template <typename Visit>
  void for_each_definition(Visit visit) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      for (const ObjectSymbol& symbol : entries_[i].symbols.symbols) {
        visit(i, symbol.name);
      }
    }
  }

  void count_symbols() {
    for_each_definition([this](std::size_t, std::string_view name) {
      ++symbols_;
      symbol_names_ += name.size() + 1;
    });
  }

  /// Where everything begins when the index has numbers of `width` bytes.
  void lay_out(std::uint64_t width) {
    width_ = width;
    const std::uint64_t filled = width * (symbols_ + 1) + symbol_names_;
    index_size_ = width == 8 ? (filled + 7) / 8 * 8 : even(filled);
    index_filling_ = index_size_ - filled;
    std::uint64_t at = kMagic.size() + kHeaderSize + index_size_;
    if (!table_.empty()) at += kHeaderSize + table_.size();
    offsets_.clear();
    for (const ArEntry& entry : entries_) {
      offsets_.push_back(at);
      at += kHeaderSize + even(entry.content.size());
    }
  }

  void append_number(std::uint64_t number) {
    for (std::uint64_t i = 0; i < width_; ++i) {
      number_[i] = static_cast<std::uint8_t>(number >> 8U * (width_ - 1 - i));
    }
    file_.append(Bytes(number_).first(width_));
  }

  void write_index() {
    file_.append(as_bytes(header(width_ == 8 ? "/SYM64/" : "/", "0", index_size_)));
    append_number(symbols_);
    for_each_definition([this](std::size_t i, std::string_view) { append_number(offsets_[i]); });
    constexpr std::uint8_t kZeros[8] = {};
    for_each_definition([this, &kZeros](std::size_t, std::string_view name) {
      file_.append(as_bytes(name));
      file_.append(Bytes(kZeros).first(1));
    });
    file_.append(Bytes(kZeros).first(index_filling_));
  }

  void write_names() {
    if (table_.empty()) return;
    file_.append(as_bytes(name_table_header(table_.size())));
    file_.append(as_bytes(table_));
  }

  void write_member(std::size_t i) {
    const ArEntry& entry = entries_[i];
    file_.append(as_bytes(header(names_[i], "100644", entry.content.size())));
    if (entry.symbols.hiding.empty()) {
      file_.append(entry.content);
    } else {
      changed_.assign(entry.content.begin(), entry.content.end());
      for (const auto& [at, byte] : entry.symbols.hiding) changed_[at] = byte;
      file_.append(changed_);
    }
    if (entry.content.size() % 2 != 0) file_.append(as_bytes("\n"));
  }

  const std::vector<ArEntry>& entries_;
  zip::OutputFile file_;
  std::vector<std::string> names_;  ///< as they stand in the headers
  std::string table_;               ///< of long names
  std::size_t symbols_ = 0;
  std::uint64_t symbol_names_ = 0;  ///< bytes, with the zeros that end them
  std::uint64_t width_ = 4;
  std::uint64_t index_size_ = 0;
  std::uint64_t index_filling_ = 0;
  std::vector<std::uint64_t> offsets_;  ///< where each member's header begins
  std::uint8_t number_[8] = {};
  std::vector<std::uint8_t> changed_;
};

}  // namespace

ArSummary write_ar(const std::filesystem::path& output, const std::vector<ArEntry>& entries,
                   std::uint64_t narrow_reach) {
  return ArWriter(output, entries).write(narrow_reach);
}

}  // namespace torchpkg
