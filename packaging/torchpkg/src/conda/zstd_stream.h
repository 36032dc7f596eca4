// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/file.h"

struct ZSTD_CCtx_s;

namespace torchpkg::conda {

/// Compresses a stream with Zstandard on several threads. The bytes depend on content and level
/// alone, not on the number of threads: the input is cut into jobs of a fixed size.
/// https://facebook.github.io/zstd/zstd_manual.html (ZSTD_c_nbWorkers)
class ZstdStream {
 public:
  using Sink = std::function<void(Bytes)>;

  /// Error: kUsage for a level that libzstd does not know.
  static void check_level(int level);

  /// `level`: 1 to 22. `jobs`: threads, at least 1. `sink` receives what is compressed, in order.
  ZstdStream(int level, unsigned jobs, Sink sink);
  ~ZstdStream();
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  void append(Bytes data);

  /// Ends the frame; nothing can be appended afterwards.
  void finish();

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  Sink sink_;
  std::vector<std::uint8_t> out_;
};

}  // namespace torchpkg::conda
