// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers against known values, training, and threads: the part of libtorch that a C++ user sees
// through torch/torch.h.
#include <ATen/TensorIterator.h>
#include <sched.h>
#include <torch/torch.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "report.h"

namespace {

using torch::Tensor;

double distance(const Tensor& found, const Tensor& expected) {
  return (found.to(torch::kDouble) - expected.to(torch::kDouble)).abs().max().item<double>();
}

Tensor matrix(std::vector<double> values, int64_t rows) {
  return torch::tensor(values, torch::kDouble).reshape({rows, -1});
}

void check_linear_algebra(Report& report) {
  const Tensor product = matrix({19, 22, 43, 50}, 2);
  for (const auto type : {torch::kFloat, torch::kDouble, torch::kBFloat16, torch::kInt}) {
    const Tensor left = matrix({1, 2, 3, 4}, 2).to(type);
    const Tensor right = matrix({5, 6, 7, 8}, 2).to(type);
    report.at_most("matmul::" + std::string(c10::toString(type)),
                   distance(left.matmul(right), product), 1e-6);
  }
  // Large enough for the blocked and threaded paths; every entry of row i is the sum over k of (i +
  // k) % 7.
  const auto index = torch::arange(300, torch::kFloat);
  const Tensor large = (index.unsqueeze(1) + index).remainder(7);
  report.at_most(
      "matmul::300x300",
      distance(large.matmul(torch::ones({300, 300})), large.sum(1, true).expand({300, 300})), 1e-3);

  const Tensor square = matrix({3, 0, 4, 5}, 2);
  const auto [u, s, vh] = torch::linalg_svd(square);
  report.at_most("svd::values", distance(s, torch::tensor({std::sqrt(45.0), std::sqrt(5.0)})),
                 1e-6);
  report.at_most("svd::product", distance(u.matmul(torch::diag(s)).matmul(vh), square), 1e-12);
  report.at_most(
      "solve",
      distance(torch::linalg_solve(matrix({3, 1, 1, 2}, 2), matrix({9, 8}, 2)), matrix({2, 3}, 2)),
      1e-12);
  // The line nearest to (1,6) (2,5) (3,7) (4,10) is 3.5 + 1.4 x.
  const auto line =
      torch::linalg_lstsq(matrix({1, 1, 1, 2, 1, 3, 1, 4}, 4), matrix({6, 5, 7, 10}, 4));
  report.at_most("lstsq", distance(std::get<0>(line), matrix({3.5, 1.4}, 2)), 1e-10);
  report.at_most(
      "eigh",
      distance(std::get<0>(torch::linalg_eigh(matrix({2, 1, 1, 2}, 2))), torch::tensor({1.0, 3.0})),
      1e-12);
  const Tensor turned = std::get<0>(torch::linalg_eig(matrix({0, -1, 1, 0}, 2)));
  report.at_most("eig",
                 distance(torch::imag(turned).abs(), torch::ones(2)) +
                     torch::real(turned).abs().max().item<double>(),
                 1e-12);
  report.at_most(
      "cholesky",
      distance(torch::linalg_cholesky(matrix({4, 12, -16, 12, 37, -43, -16, -43, 98}, 3)),
               matrix({2, 0, 0, 6, 1, 0, -8, 5, 3}, 3)),
      1e-10);
  report.at_most(
      "det::batched",
      distance(torch::linalg_det(torch::stack({square, 2 * square})), torch::tensor({15.0, 60.0})),
      1e-10);
}

void check_transforms(Report& report) {
  const Tensor spectrum =
      torch::view_as_real(torch::fft::fft(torch::tensor({1.0, 2.0, 3.0, 4.0}, torch::kDouble)));
  report.at_most("fft", distance(spectrum, matrix({10, 0, -2, 2, -2, 0, -2, -2}, 4)), 1e-12);
  // A prime length takes another algorithm than a power of two.
  for (const int64_t length : {997, 1024}) {
    const Tensor signal = torch::sin(torch::arange(length, torch::kDouble) * 0.37);
    report.at_most("rfft::there_and_back_" + std::to_string(length),
                   distance(torch::fft::irfft(torch::fft::rfft(signal), length), signal), 1e-12);
  }

  const Tensor image = torch::arange(9, torch::kFloat).reshape({1, 1, 3, 3});
  const Tensor sums = matrix({8, 12, 20, 24}, 2).reshape({1, 1, 2, 2});
  for (const auto type : {torch::kFloat, torch::kDouble, torch::kBFloat16}) {
    const Tensor found = torch::conv2d(image.to(type), torch::ones({1, 1, 2, 2}, type));
    report.at_most("conv2d::" + std::string(c10::toString(type)), distance(found, sums), 1e-6);
  }
  const Tensor many =
      torch::conv2d(torch::ones({4, 16, 32, 32}), torch::ones({24, 16, 3, 3}), {}, 1, 1);
  report.at_most("conv2d::16_channels",
                 distance(many.slice(2, 1, 31).slice(3, 1, 31), torch::full({1}, 144)), 1e-3);

  // The vectorised functions (SLEEF) against the C library's, with a length that leaves a remainder
  // in every vector width.
  const Tensor x = torch::linspace(0.05, 7.0, 1003, torch::kDouble);
  const auto against = [&](const char* name, const Tensor& found, double (*reference)(double)) {
    Tensor expected = torch::empty_like(x);
    for (int64_t i = 0; i < x.numel(); ++i) {
      expected[i] = reference(x[i].item<double>());
    }
    report.at_most(std::string("vectorised::") + name,
                   ((found - expected) / expected).abs().max().item<double>(), 1e-13);
  };
  against("exp", torch::exp(x), std::exp);
  against("log1p", torch::log1p(x), std::log1p);
  against("tanh", torch::tanh(x), std::tanh);
  against("erf", torch::erf(x), std::erf);
  against("atan", torch::atan(x), std::atan);

  torch::manual_seed(0);
  report.at_most("random::seed_0", distance(torch::rand(2), torch::tensor({0.4963, 0.7682})), 1e-4);
}

void check_kinds_of_tensor(Report& report) {
  const Tensor dense = matrix({0, 3, 4, 0}, 2);
  const Tensor vector = torch::tensor({1.0, 2.0}, torch::kDouble);
  report.equal("sparse::entries", dense.to_sparse()._nnz(), int64_t{2});
  report.at_most("sparse::product",
                 distance(dense.to_sparse().mv(vector), torch::tensor({6.0, 4.0})), 1e-12);
  report.at_most("sparse::csr_there_and_back", distance(dense.to_sparse_csr().to_dense(), dense),
                 0);

  std::stringstream file;
  torch::save(dense, file);
  Tensor loaded;
  torch::load(loaded, file);
  report.at_most("save_and_load", distance(loaded, dense), 0);
}

void check_training(Report& report) {
  const Tensor x = torch::tensor({2.0}, torch::requires_grad());
  x.pow(3).sum().backward();
  report.at_most("autograd::cube", distance(x.grad(), torch::tensor({12.0})), 1e-5);

  // A step along the gradient of (w - 3)^2 from 0, with rate 0.1, leads to 0.6.
  Tensor weight = torch::zeros(1, torch::requires_grad());
  torch::optim::SGD descent({weight}, 0.1);
  (weight - 3).pow(2).sum().backward();
  descent.step();
  report.at_most("optimizer::one_step", distance(weight, torch::tensor({0.6})), 1e-6);

  torch::manual_seed(1);
  torch::nn::Sequential model(torch::nn::Linear(1, 16), torch::nn::Tanh(),
                              torch::nn::Linear(16, 1));
  torch::optim::Adam adam(model->parameters(), 0.02);
  const Tensor input = torch::linspace(-1, 1, 64).unsqueeze(1);
  const Tensor target = torch::sin(2 * input);
  double first = 0;
  double last = 0;
  for (int step = 0; step < 200; ++step) {
    adam.zero_grad();
    const Tensor loss = torch::mse_loss(model->forward(input), target);
    loss.backward();
    adam.step();
    last = loss.item<double>();
    first = step == 0 ? last : first;
  }
  report.at_most("training::loss_against_first", last / first, 0.05);

  torch::nn::LSTM recurrent(torch::nn::LSTMOptions(4, 8).num_layers(2));
  const Tensor output = std::get<0>(recurrent(torch::randn({5, 3, 4})));
  output.sum().backward();
  const Tensor gradient = recurrent->parameters()[0].grad();
  report.add("lstm::gradient",
             gradient.isfinite().all().item<bool>() && gradient.abs().max().item<double>() > 0,
             Report::text(gradient.abs().max().item<double>()), "finite and not zero");
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void check_threads(Report& report) {
  const int threads = torch::get_num_threads();
  const int cores = usable_cores();
  if (const char* wanted = std::getenv("OMP_NUM_THREADS")) {
    report.equal("threads::number", threads, std::atoi(wanted));
  } else {
    report.add("threads::number", cores == 1 ? threads == 1 : threads > 1, Report::text(threads),
               cores == 1 ? "1 on one core" : "more than 1 on " + Report::text(cores) + " cores");
  }

  // at::parallel_for is a template that the program compiles, serial without -fopenmp. An iterator
  // over a tensor runs inside libtorch and calls the program back from libtorch's own threads.
  Tensor elements = torch::zeros(4 * threads);
  const auto on_every_thread = [&](const std::function<void()>& call) {
    auto iterator = at::TensorIterator::nullary_op(elements);
    iterator.for_each([&](char**, const int64_t*, int64_t) { call(); }, 1);
  };
  std::mutex mutex;
  std::set<std::thread::id> seen;
  on_every_thread([&] {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  });
  report.equal("threads::used", seen.size(), static_cast<size_t>(threads));

  const auto main_thread = std::this_thread::get_id();
  std::string caught = "nothing";
  try {
    on_every_thread([&] {
      if (threads == 1 || std::this_thread::get_id() != main_thread) {
        throw std::range_error("refused by a worker");
      }
    });
  } catch (const std::range_error& error) {
    caught = error.what();
  }
  report.equal("threads::exception", caught, std::string("refused by a worker"));
}

}  // namespace

void check_numerics(Report& report) {
  report.topic("linear_algebra", [&] { check_linear_algebra(report); });
  report.topic("transforms", [&] { check_transforms(report); });
  report.topic("kinds_of_tensor", [&] { check_kinds_of_tensor(report); });
  report.topic("training", [&] { check_training(report); });
  report.topic("threads", [&] { check_threads(report); });
}

// What plugin_host asks of each library with libtorch inside. Shapes that do not fit make it throw.
extern "C" double plugin_sum(bool wrong) {
  const Tensor x = torch::ones({300, wrong ? 2 : 300}).requires_grad_();
  x.mm(x).sum().backward();
  return x.grad().sum().item<double>();
}
