// SPDX-License-Identifier: BSD-3-Clause
#include "package/cuda_facts.h"

#include <string.h>

#include <algorithm>
#include <cctype>

namespace torchpkg {

namespace {

/// Where `needle` begins in `text`, from `at` on; npos when it does not.
std::size_t find(std::string_view text, std::string_view needle, std::size_t at = 0) {
  if (at >= text.size()) return std::string_view::npos;
  const void* hit = ::memmem(text.data() + at, text.size() - at, needle.data(), needle.size());
  return hit == nullptr ? std::string_view::npos
                        : static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What follows `mark`, as far as `belongs` holds; the first place with a digit there counts.
template <typename Belongs>
std::string number_after(std::string_view text, std::string_view mark, Belongs belongs) {
  for (std::size_t at = find(text, mark); at != std::string_view::npos; at = find(text, mark, at)) {
    at += mark.size();
    std::size_t end = at;
    while (end < text.size() && belongs(text[end])) ++end;
    if (end > at && is_digit(text[at])) return std::string(text.substr(at, end - at));
  }
  return {};
}

/// "9_1_0_70_c34102860_e0", which cuDNN has as a text: "9.1.0.70".
std::string dotted(std::string_view text) {
  std::string version;
  unsigned parts = 1;
  for (const char c : text) {
    if (c == '_' && ++parts > 4) break;
    version += c == '_' ? '.' : c;
  }
  return version;
}

bool is_hash(std::string_view text) {
  for (const char c : text) {
    if (!is_digit(c) && (c < 'a' || c > 'f')) return false;
  }
  return true;
}

class Reader {
 public:
  explicit Reader(CudaFacts& facts) : facts_(facts) {}

  /// The texts of an ELF file.
  void read(const ElfImage& image) {
    image.for_each_content([this](std::string_view name, Bytes content) {
      if (name.starts_with(".rodata")) read(as_text(content));
    });
  }

 private:
  void read(std::string_view text) {
    const auto has = [text](std::string_view mark) {
      return find(text, mark) != std::string_view::npos;
    };
    // The host's part of a program registers kernels by their names; MAGMA's have its types as
    // arguments.
    facts_.nccl_kernels = facts_.nccl_kernels || has("ncclDevKernel_");
    facts_.magma_kernels = facts_.magma_kernels || has("13magma_trans_t");
    note(facts_.nccl_version, text, "NCCL version ", [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+';
    });
    note(facts_.tools_version, text, "Cuda compilation tools, release ",
         [](char c) { return is_digit(c) || c == '.'; });
    if (facts_.cudnn_version.empty()) {
      facts_.cudnn_version = dotted(
          number_after(text, "cudnn_version_", [](char c) { return is_digit(c) || c == '_'; }));
    }
    if (facts_.file_name().starts_with("libtorch_cuda")) read_hashes(text);
  }

  template <typename Belongs>
  static void note(std::string& version, std::string_view text, std::string_view mark,
                   Belongs belongs) {
    if (version.empty()) version = number_after(text, mark, belongs);
  }

  void read_hashes(std::string_view text) {
    constexpr std::size_t kSize = 8;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\0', at), text.size());
      const std::string_view one = text.substr(at, end - at);
      if (one.size() == kSize && is_hash(one)) facts_.hashes.emplace(one);
      at = end + 1;
    }
  }

  CudaFacts& facts_;
};

}  // namespace

CudaFacts read_cuda_facts(const std::string& path, Bytes bytes) {
  CudaFacts facts;
  facts.path = path;
  Reader reader(facts);
  if (!is_ar(bytes)) {
    const ElfImage image(bytes, path);
    facts.code = read_device_code(image);
    reader.read(image);
    return facts;
  }
  facts.archive = true;
  const ArArchive archive(bytes, path);
  facts.code = read_device_code(archive);
  for (const ArMember& member : archive.members()) {
    // What is wrong with a member others report: see ArchiveFacts::odd.
    if (!is_elf(member.content)) continue;
    try {
      reader.read(ElfImage(member.content, member.name));
    } catch (const Error&) {
      continue;
    }
  }
  return facts;
}

}  // namespace torchpkg
