// SPDX-License-Identifier: BSD-3-Clause
#include "conda/tar_reader.h"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <numeric>
#include <set>
#include <utility>

#include "common/text.h"

namespace torchpkg::conda {

namespace {

// https://www.gnu.org/software/tar/manual/html_node/Standard.html
constexpr std::size_t kBlock = 512;
constexpr std::size_t kMode = 100;
constexpr std::size_t kSize = 124;
constexpr std::size_t kChecksum = 148;
constexpr std::size_t kType = 156;
constexpr std::size_t kTarget = 157;
constexpr std::size_t kMagic = 257;
constexpr std::size_t kPrefix = 345;
constexpr std::size_t kPrefixEnd = 500;
constexpr std::string_view kPosix{
    "ustar\0"
    "00",
    8};
constexpr std::string_view kGnu{"ustar  \0", 8};

constexpr std::uint64_t kMostBefore = 64 << 10U;
// What Python's tarfile and libarchive write; what they say besides the first three is not used.
constexpr std::array<std::string_view, 10> kPaxMembers{
    "path", "linkpath", "size", "mtime", "atime", "ctime", "uid", "gid", "uname", "gname"};
// Which headers may come before an entry: of pax, or with GNU's long name, target, or both.
constexpr std::array<std::string_view, 5> kBefore{"x", "L", "K", "LK", "KL"};

template <typename List>
bool has(const List& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

template <typename Range>
bool all_zero(const Range& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](auto byte) { return byte == 0; });
}

/// Text ends at the first NUL.
std::string_view text_in(std::string_view block, std::size_t at, std::size_t size) {
  const std::string_view field = block.substr(at, size);
  return field.substr(0, field.find('\0'));
}

std::uint64_t padding_of(std::uint64_t size) { return (kBlock - size % kBlock) % kBlock; }

constexpr auto kIgnore = [](Bytes /*bytes*/) {};

}  // namespace

void TarReader::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

TarReader::TarReader(Bytes packed, std::string name)
    : packed_(packed),
      name_(std::move(name)),
      limits_(packed.size()),
      context_(ZSTD_createDCtx()),
      buffer_(ZSTD_DStreamOutSize()) {
  if (!context_) throw std::bad_alloc();
}

TarReader::~TarReader() = default;

Error TarReader::bad(const std::string& what) const {
  return {ExitCode::kBadInput, fmt::format("{}: {}", name_, what), "make the package again"};
}

/// The next bytes, `most` or fewer; none at the end.
Bytes TarReader::some(std::uint64_t most) {
  while (ready_.empty() && !ended_) {
    ZSTD_inBuffer in{packed_.data(), packed_.size(), used_};
    ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(result) != 0U) throw bad(ZSTD_getErrorName(result));
    ended_ = result == 0;
    if (ended_ && in.pos < in.size) throw bad("it goes on after its Zstandard frame");
    if (!ended_ && in.pos == in.size && out.pos == 0) throw bad("its Zstandard frame is cut off");
    used_ = in.pos;
    ready_ = Bytes(buffer_).first(out.pos);
    limits_.check_stream(done_ += out.pos);
  }
  const Bytes found = ready_.first(std::min<std::uint64_t>(most, ready_.size()));
  ready_ = ready_.subspan(found.size());
  return found;
}

/// Hands the next bytes to `take`, in pieces.
template <typename Take>
void TarReader::read(std::uint64_t size, const Take& take) {
  while (size != 0) {
    const Bytes found = some(size);
    if (found.empty()) throw bad("it ends without the zeros at the end of a tar");
    take(found);
    size -= found.size();
  }
}

/// Octal digits; or, of GNU tar, eight bytes where those would not do.
std::uint64_t TarReader::number(std::string_view block, std::size_t at, std::size_t size) const {
  const std::string_view field = block.substr(at, size);
  if (field.starts_with(std::string_view("\x80\0\0\0", 4)) && size == 12) {
    return std::accumulate(
        field.begin() + 4, field.end(), std::uint64_t{0},
        [](std::uint64_t sum, char byte) { return sum << 8U | static_cast<unsigned char>(byte); });
  }
  const std::size_t end = std::min(field.find_first_not_of("01234567"), size);
  if (field.find_first_not_of(std::string_view(" \0", 2), end) != std::string_view::npos) {
    throw bad(fmt::format("'{}' in a header is not a number", printable(field)));
  }
  std::uint64_t value = 0;
  std::from_chars(field.data(), field.data() + end, value, 8);
  return value;
}

void TarReader::check_header(std::string_view block) const {
  unsigned sum = 8 * ' ';
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (i < kChecksum || i >= kType) sum += static_cast<unsigned char>(block[i]);
  }
  const std::string_view magic = block.substr(kMagic, kPosix.size());
  if ((magic != kPosix && magic != kGnu) || sum != number(block, kChecksum, 8)) {
    throw bad("what should be a header is none of a tar");
  }
  // Some readers take GNU's times, which may be here, for a part of the name.
  if (!all_zero(block.substr(magic == kGnu ? kPrefix : kPrefixEnd, block.size()))) {
    throw bad(printable(text_in(block, 0, kMode)) +
              " has more in its header than a conda package has there");
  }
}

void TarReader::check_rest() {
  for (Bytes found = some(kMostBefore); !found.empty(); found = some(kMostBefore)) {
    if (!all_zero(found)) throw bad("something comes after the end of the tar");
  }
}

/// What an extended header has inside.
std::string TarReader::text(std::uint64_t size) {
  if (size > kMostBefore) {
    throw bad(fmt::format("{} stand before an entry; the limit is {}", human_size(size),
                          human_size(kMostBefore)));
  }
  std::string found;
  read(size, [&found](Bytes bytes) { found += as_text(bytes); });
  read(padding_of(size), kIgnore);
  return found;
}

/// Records are `<length> <member>=<value>\n`.
void TarReader::add_pax(std::string_view records, Before& before) const {
  std::set<std::string_view> members;
  while (!records.empty()) {
    std::size_t length = 0;
    const char* end = records.data() + records.size();
    const auto blank =
        static_cast<std::size_t>(std::from_chars(records.data(), end, length).ptr - records.data());
    if (length > records.size() || length < blank + 2 || records[blank] != ' ' ||
        records[length - 1] != '\n') {
      throw bad("a pax header is damaged");
    }
    const std::string_view record = records.substr(blank + 1, length - blank - 2);
    records.remove_prefix(length);
    const std::size_t equals = std::min(record.find('='), record.size());
    const std::string_view member = record.substr(0, equals);
    const std::string_view value = record.substr(std::min(equals + 1, record.size()));
    if (!has(kPaxMembers, member) || !members.insert(member).second) {
      throw bad(
          fmt::format("a pax header has {}, which is unknown or there twice", printable(member)));
    }
    if (member == "path") before.name = value;
    if (member == "linkpath") before.target = value;
    if (member != "size") continue;
    const auto number =
        std::from_chars(value.data(), value.data() + value.size(), before.size.emplace());
    if (number.ec != std::errc() || number.ptr != value.data() + value.size()) {
      throw bad(fmt::format("'{}' in a pax header is not a size", printable(value)));
    }
  }
}

TreeEntry TarReader::entry(std::string_view block, std::uint64_t size, const Before& before) {
  using Kind = TreeEntry::Kind;
  TreeEntry found;
  const std::string_view prefix =
      block.substr(kMagic, kPosix.size()) == kPosix ? text_in(block, kPrefix, 155) : "";
  found.name = fmt::format("{}{}{}", prefix, prefix.empty() ? "" : "/", text_in(block, 0, kMode));
  found.name = before.name.value_or(found.name);
  found.size = before.size.value_or(size);
  found.mode = static_cast<unsigned>(number(block, kMode, 8)) & 07777U;
  const char type = block[kType];
  found.kind = type == '0'   ? Kind::kFile
               : type == '5' ? Kind::kFolder
               : type == '2' ? Kind::kSymlink
                             : Kind::kOther;
  if (found.kind == Kind::kSymlink) {
    found.target = before.target.value_or(std::string(text_in(block, kTarget, 100)));
  }
  if (found.kind != Kind::kFile && found.size != 0) {
    throw bad(printable(found.name) + " has content, but is not a file");
  }
  limits_.count(found.name, found.size, packed_.size());
  left_ = found.size;
  padding_ = padding_of(found.size);
  return found;
}

std::optional<TreeEntry> TarReader::next() {
  read(left_ + padding_, kIgnore);
  left_ = padding_ = 0;
  Before before;
  for (;;) {
    const std::string block = text(kBlock);
    if (all_zero(block) && before.types.empty()) {
      check_rest();
      return std::nullopt;
    }
    check_header(block);
    const std::uint64_t size = number(block, kSize, 12);
    const char type = block[kType];
    if (type >= '0' && type <= '6') return entry(block, size, before);
    before.types += type;
    if (!has(kBefore, before.types)) {
      throw bad(fmt::format("{} has a header of the type '{}', which no conda package has there",
                            printable(text_in(block, 0, kMode)), printable({&type, 1})));
    }
    const std::string inside = text(size);
    if (type == 'x') {
      add_pax(inside, before);
    } else {
      (type == 'L' ? before.name : before.target) = inside.substr(0, inside.find('\0'));
    }
  }
}

std::vector<std::uint8_t> TarReader::content() {
  std::vector<std::uint8_t> found;
  found.reserve(left_);
  read(left_, [&found](Bytes bytes) { found.insert(found.end(), bytes.begin(), bytes.end()); });
  left_ = 0;
  return found;
}

}  // namespace torchpkg::conda
