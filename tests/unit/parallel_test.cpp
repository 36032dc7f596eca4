// SPDX-License-Identifier: BSD-3-Clause
#include "common/parallel.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>

#include "support.h"
#include "zip/pack.h"

namespace torchpkg::test {
namespace {

/// No thread can be made while this lives, as at a user's or a container's limit of processes: no
/// machine has the memory for its stack.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, std::size_t{1} << 52U);
    EXPECT_EQ(pthread_setattr_default_np(&large), 0);
    pthread_attr_destroy(&large);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(Parallel, WithoutMoreThreadsTheOneThereIsDoesAll) {
  const NoThreads none;
  std::atomic<int> done = 0;
  for_each_parallel(100, 8, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 100);
}

TEST(Parallel, WithoutMoreThreadsWhatIsThrownIsThrown) {
  const NoThreads none;
  EXPECT_THROW(for_each_parallel(2, 2, [](std::size_t) { throw std::runtime_error("x"); }),
               std::runtime_error);
}

TEST(Parallel, WithoutAThreadItPacksAsWell) {
  const TemporaryFolder folder;
  write_file(folder / "p/a", "a");
  zip::PackOptions options;
  options.root = folder / "p";
  options.output = folder / "dist/out.zip";
  options.jobs = 4;
  const NoThreads none;
  zip::pack(options);
  EXPECT_TRUE(fs::exists(options.output));
}

}  // namespace
}  // namespace torchpkg::test
