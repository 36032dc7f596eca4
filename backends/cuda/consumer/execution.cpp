// SPDX-License-Identifier: BSD-3-Clause
//
// Streams, events, pinned memory, CUDA graphs; and errors of all kinds, as exceptions.
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/cuda.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>

#include "checks.h"

namespace {

c10::Stream other_stream() {
  const c10::impl::VirtualGuardImpl device(at::kCUDA);
  return device.getStreamFromGlobalPool(c10::Device(at::kCUDA, 0));
}

void check_streams(Report& report) {
  const c10::impl::VirtualGuardImpl device(at::kCUDA);
  const c10::Stream main = device.getStream(c10::Device(at::kCUDA, 0));
  const c10::Stream side = other_stream();
  report.add("cuda::stream::other", main != side, Report::text(side),
             "another one than " + Report::text(main));

  const at::Tensor start = at::full({1 << 20}, 1.0, at::kCUDA);
  c10::Event ready(at::kCUDA);
  ready.record(main);
  c10::Event begin(at::kCUDA, c10::EventFlag::BACKEND_DEFAULT);
  c10::Event end(at::kCUDA, c10::EventFlag::BACKEND_DEFAULT);
  at::Tensor sum;
  {
    const c10::StreamGuard guard(side);
    ready.block(side);
    begin.record(side);
    sum = start;
    for (int i = 0; i < 10; ++i) {
      sum = sum + start;
    }
    end.record(side);
  }
  end.synchronize();
  report.add("cuda::event::reached", end.query(), "an event of the other stream", "reached");
  const double milliseconds = begin.elapsedTime(end);
  report.add("cuda::event::time", milliseconds > 0 && milliseconds < 60000,
             Report::text(milliseconds) + " ms", "more than 0");
  report.equal("cuda::stream::sum", sum.min().item<double>(), 11.0);
}

void check_pinned_memory(Report& report) {
  const at::Tensor pinned = at::arange(100000, at::kFloat).pin_memory();
  report.equal("cuda::pinned::is_pinned", pinned.is_pinned(), true);
  const at::Tensor there = pinned.to(at::kCUDA, at::kFloat, /*non_blocking=*/true) * 2;
  const at::Tensor back = at::empty({100000}, at::TensorOptions().pinned_memory(true));
  back.copy_(there, /*non_blocking=*/true);
  torch::cuda::synchronize();
  report.at_most("cuda::pinned::copies", distance(back, pinned * 2), 0);
}

void check_graphs(Report& report) {
  const at::Tensor x = at::ones({256, 256}, at::kCUDA);
  at::cuda::CUDAGraph graph;
  at::Tensor y;
  {
    const c10::StreamGuard guard(other_stream());
    y = (x.mm(x) + x).relu();  // once before: libraries allocate when they are used first
    torch::cuda::synchronize();
    graph.capture_begin();
    y = (x.mm(x) + x).relu();
    graph.capture_end();
  }
  for (const double value : {2.0, 3.0}) {
    x.fill_(value);
    torch::cuda::synchronize();
    graph.replay();
    torch::cuda::synchronize();
    report.at_most("cuda::graph::replay_" + std::to_string(static_cast<int>(value)),
                   distance(y, at::full({256, 256}, 256 * value * value + value)), 1e-5);
  }
}

template <typename Exception, typename Call>
void expect_error(Report& report, const std::string& name, const std::string& part,
                  const Call& call) {
  std::string found = "no exception";
  bool good = false;
  try {
    call();
  } catch (const Exception& error) {
    found = error.what_without_backtrace();
    good = found.find(part) != std::string::npos;
  } catch (const std::exception& error) {
    found = std::string("another type of exception: ") + error.what();
  }
  report.add(name, good, found.substr(0, found.find('\n')),
             "an exception with the text '" + part + "'");
}

// This program again, in a process that may be spoilt: sets `text` to what it prints, and returns
// its status.
int run_child(const std::string& what, std::string& text) {
  char path[PATH_MAX] = "";
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) {
    return -1;
  }
  std::string quoted;
  for (const char* one = path; *one != '\0'; ++one) {
    quoted += *one == '\'' ? std::string("'\\''") : std::string(1, *one);
  }
  std::FILE* pipe = popen(("'" + quoted + "' --child " + what + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return -1;
  }
  char buffer[4096];
  while (const size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) {
    text.append(buffer, size);
  }
  return pclose(pipe);
}

}  // namespace

void check_cuda_execution(Report& report) {
  report.topic("cuda::streams", [&] { check_streams(report); });
  report.topic("cuda::pinned", [&] { check_pinned_memory(report); });
  report.topic("cuda::graph", [&] { check_graphs(report); });
}

void check_cuda_errors(Report& report) {
  const at::Tensor x = at::ones({2, 3}, at::kCUDA);
  expect_error<c10::Error>(report, "cuda::exception::of_libtorch_cpu",
                           "shapes cannot be multiplied", [&] { x.mm(x); });
  // This one is thrown in libtorch_cuda: aten/src/ATen/native/cuda/SummaryOps.cu
  expect_error<c10::Error>(report, "cuda::exception::of_libtorch_cuda",
                           "bincount only supports 1-d",
                           [&] { at::bincount(at::full({3}, -1, at::kLong).cuda()); });
  expect_error<c10::OutOfMemoryError>(
      report, "cuda::exception::out_of_memory", "CUDA out of memory",
      [] { at::empty({int64_t{1} << 50}, at::TensorOptions(at::kCUDA).dtype(at::kByte)); });
  report.equal("cuda::exception::goes_on", x.sum().item<double>(), 6.0);

  std::string text;
  const int status = run_child("device-assert", text);
  const auto caught = text.find("caught: ");
  report.add("cuda::exception::asynchronous", status == 0 && caught != std::string::npos,
             caught == std::string::npos
                 ? "status " + std::to_string(status) + ", " + text.substr(0, 300)
                 : text.substr(caught, text.find('\n', caught) - caught),
             "a c10::Error with the text 'device-side assert triggered', and status 0");
}

int run_gpu_child(const std::string& what) {
  if (what != "device-assert") {
    std::fprintf(stderr, "torch_consumer: there is no child %s\n", what.c_str());
    return 2;
  }
  try {
    const at::Tensor index = at::full({4}, 1000, at::TensorOptions(at::kCUDA).dtype(at::kLong));
    const at::Tensor picked = at::index_select(at::ones({8}, at::kCUDA), 0, index);
    torch::cuda::synchronize();
    std::printf("not reported\n");
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    std::printf("caught: %s\n", message.substr(0, message.find('\n')).c_str());
    std::fflush(stdout);
    return message.find("device-side assert triggered") != std::string::npos ? 0 : 3;
  }
  return 4;
}
