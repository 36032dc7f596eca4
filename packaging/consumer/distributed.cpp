// SPDX-License-Identifier: BSD-3-Clause
//
// Stores, and a sum over two ranks by Gloo.
#include <ATen/ATen.h>

#include "report.h"

#ifndef USE_C10D_GLOO

void check_distributed(Report& report) {
  report.skip("distributed", "this package was built without it");
}

#else

#include <ifaddrs.h>
#include <netinet/in.h>

#include <cstdio>
#include <thread>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace {

// Without a network, in a container say, the loopback interface may be there but without an
// address.
bool loopback_is_up() {
  ifaddrs* interfaces = nullptr;
  if (getifaddrs(&interfaces) != 0) {
    return false;
  }
  bool up = false;
  for (const ifaddrs* one = interfaces; one != nullptr && !up; one = one->ifa_next) {
    if (one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET) {
      const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
      up = address->sin_addr.s_addr == htonl(INADDR_LOOPBACK);
    }
  }
  freeifaddrs(interfaces);
  return up;
}

at::Tensor sum_over_ranks(const c10::intrusive_ptr<c10d::Store>& store, int rank, int ranks) {
  auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(20));
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
  c10d::ProcessGroupGloo group(store, rank, ranks, options);
  std::vector<at::Tensor> tensors = {at::full({1000}, rank + 1.0)};
  group.allreduce(tensors)->wait();
  return tensors[0];
}

void check_gloo(Report& report) {
  const auto hash = c10::make_intrusive<c10d::HashStore>();
  hash->set("key", {1, 2, 3});
  report.equal("distributed::hash_store", hash->get("key").size(), size_t{3});
  std::remove("torch_consumer_store");
  const auto file = c10::make_intrusive<c10d::FileStore>("torch_consumer_store", 1);
  file->add("counter", 5);
  report.equal("distributed::file_store", file->add("counter", 2), int64_t{7});

  if (!loopback_is_up()) {
    report.skip("distributed::gloo_all_reduce", "there is no loopback interface here");
    return;
  }
  // Two ranks in one process, so that bytes really go through Gloo.
  std::string failed;
  at::Tensor other;
  std::thread second([&] {
    try {
      other = sum_over_ranks(hash, 1, 2);
    } catch (const std::exception& error) {
      failed = error.what();
    }
  });
  at::Tensor sum;
  try {
    sum = sum_over_ranks(hash, 0, 2);
  } catch (const std::exception& error) {
    failed += error.what();
  }
  second.join();
  const bool good =
      failed.empty() && at::equal(sum, at::full({1000}, 3.0)) && at::equal(sum, other);
  report.add("distributed::gloo_all_reduce", good,
             failed.empty() ? Report::text(sum[0].item<double>()) : failed, "3");
}

}  // namespace

void check_distributed(Report& report) {
  report.topic("distributed", [&] { check_gloo(report); });
}

#endif
