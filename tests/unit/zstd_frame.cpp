// SPDX-License-Identifier: BSD-3-Clause
#include "zstd_frame.h"

#include "common/file.h"
#include "conda/zstd_stream.h"

namespace torchpkg::test {

std::string zstd_frame(std::string_view text) {
  std::string packed;
  conda::ZstdStream zstd(1, 1, [&](Bytes data) { packed += as_text(data); });
  zstd.append({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  zstd.finish();
  return packed;
}

}  // namespace torchpkg::test
