// SPDX-License-Identifier: BSD-3-Clause
#include "common/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace torchpkg {

void for_each_parallel(std::size_t count, unsigned jobs,
                       const std::function<void(std::size_t)>& work) {
  if (jobs == 0) jobs = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto loop = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::thread> threads;
    try {
      for (unsigned i = 1; i < jobs && i < count; ++i) threads.emplace_back(loop);
    } catch (const std::system_error&) {
      // No more threads for this user: those that there are do the work.
    }
    loop();
    for (std::thread& thread : threads) thread.join();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace torchpkg
