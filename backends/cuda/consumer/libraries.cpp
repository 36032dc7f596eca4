// SPDX-License-Identifier: BSD-3-Clause
//
// What comes from CUDA's libraries beside cuBLAS: cuDNN, cuFFT, cuSPARSE, cuRAND, CUB.
#include <ATen/Context.h>

#include "checks.h"

namespace {

void check_cudnn(Report& report, const Expectations& expected) {
  auto& context = at::globalContext();
  if (!is_there(report, expected, "cuda::cudnn", "CUDNN", context.hasCuDNN(),
                "built without cuDNN")) {
    return;
  }
  at::manual_seed(21);
  // Not conv2d, which goes on without it.
  const at::Tensor image = at::randn({2, 3, 9, 9});
  const at::Tensor weight = at::randn({4, 3, 3, 3});
  report.at_most("cuda::cudnn::convolution",
                 distance(at::cudnn_convolution(image.cuda(), weight.cuda(), {1, 1}, {1, 1}, {1, 1},
                                                1, false, true, false),
                          at::conv2d(image, weight, {}, 1, 1)),
                 1e-5);

  // An LSTM of one layer. Its weights: of the input, of the state, and the two biases; four gates
  // each.
  const int64_t size = 8;
  std::vector<at::Tensor> weights = {at::randn({4 * size, 5}), at::randn({4 * size, size}),
                                     at::randn({4 * size}), at::randn({4 * size})};
  const at::Tensor input = at::randn({6, 3, 5});
  const at::Tensor zero = at::zeros({1, 3, size});
  const auto run = [&](const at::Device& device) {
    std::vector<at::Tensor> own;
    for (const at::Tensor& one : weights) {
      own.push_back(one.detach().to(device).clone().set_requires_grad(true));
    }
    const at::Tensor state = zero.to(device);
    const at::Tensor output = std::get<0>(
        at::lstm(input.to(device), {state, state}, own, true, 1, 0.0, true, false, false));
    output.square().sum().backward();
    return std::vector<at::Tensor>{output.detach(), own[0].grad(), own[1].grad()};
  };
  const auto reference = run(at::kCPU);
  for (const bool enabled : {true, false}) {
    context.setUserEnabledCuDNN(enabled);
    const auto found = run(at::kCUDA);
    const std::string name = std::string("cuda::lstm::") + (enabled ? "cudnn" : "native");
    // cuDNN's own exponential function is not that exact: 7e-6 and 3e-5 on an H200.
    report.at_most(name, distance(found[0], reference[0]), 1e-4);
    report.at_most(name + "::gradient",
                   distance(found[1], reference[1]) + distance(found[2], reference[2]), 5e-4);
  }
  context.setUserEnabledCuDNN(true);
}

void check_transforms(Report& report) {
  // A prime length takes another algorithm than a product of small factors.
  for (const int64_t length : {997, 1000, 1024}) {
    const at::Tensor signal = at::sin(at::arange(length, at::kDouble) * 0.37);
    const std::string name = "cuda::fft::" + std::to_string(length);
    report.at_most(name,
                   distance(at::view_as_real(at::fft_fft(signal.cuda())),
                            at::view_as_real(at::fft_fft(signal))),
                   1e-12);
    report.at_most(name + "::there_and_back",
                   distance(at::fft_irfft(at::fft_rfft(signal.cuda()), length), signal), 1e-12);
  }
  const at::Tensor image = at::randn({2, 48, 60});
  report.at_most("cuda::fft::two_dimensions",
                 distance(at::view_as_real(at::fft_fft2(image.cuda())),
                          at::view_as_real(at::fft_fft2(image.to(at::kDouble)))),
                 1e-5);
}

void check_sparse(Report& report) {
  const at::Tensor matrix = at::randn({40, 50}, at::kDouble);
  const at::Tensor dense = at::where(matrix > 0.8, matrix, at::zeros_like(matrix));
  const at::Tensor other = at::randn({50, 7}, at::kDouble);
  report.at_most("cuda::sparse::csr_product",
                 distance(dense.cuda().to_sparse_csr().mm(other.cuda()), dense.mm(other)), 1e-12);
  report.at_most("cuda::sparse::coo_product",
                 distance(dense.cuda().to_sparse().mm(other.cuda()), dense.mm(other)), 1e-12);
  const at::Tensor square =
      dense.cuda().to_sparse_csr().mm(dense.t().contiguous().cuda().to_sparse_csr());
  report.at_most("cuda::sparse::csr_times_csr", distance(square.to_dense(), dense.mm(dense.t())),
                 1e-12);
}

void check_random(Report& report) {
  at::manual_seed(0);
  const at::Tensor first = at::rand({1000}, at::kCUDA);
  const at::Tensor next = at::rand({1000}, at::kCUDA);
  at::manual_seed(0);
  report.add("cuda::random::same_seed",
             at::equal(at::rand({1000}, at::kCUDA), first) && !at::equal(first, next),
             "twice 1000 numbers", "the same for the same seed, others after them");
  // The first numbers of Philox, the same on every GPU.
  report.at_most("cuda::random::seed_0",
                 distance(first.slice(0, 0, 3), at::tensor({0.3990, 0.5167, 0.0249})), 1e-3);
  const at::Tensor normal = at::randn({1 << 20}, at::kCUDA);
  report.at_most("cuda::random::normal",
                 std::abs(normal.mean().item<double>()) + std::abs(normal.std().item<double>() - 1),
                 0.01);
  const at::Tensor order = at::randperm(5000, at::kCUDA);
  report.add("cuda::random::permutation",
             at::equal(std::get<0>(order.sort()), at::arange(5000, at::kLong).cuda()),
             "5000 numbers", "each once");
}

void check_sorting(Report& report) {
  const at::Tensor numbers = at::randn({300, 1001});
  report.at_most("cuda::sort",
                 distance(std::get<0>(numbers.cuda().sort(1)), std::get<0>(numbers.sort(1))), 0);
  const at::Tensor flat = at::randint(1000000, {200000}, at::kLong);
  report.at_most("cuda::sort::long",
                 distance(std::get<0>(flat.cuda().sort()), std::get<0>(flat.sort())), 0);
  report.at_most("cuda::top",
                 distance(std::get<0>(numbers.cuda().topk(9)), std::get<0>(numbers.topk(9))), 0);
  report.at_most("cuda::scan", distance(flat.cuda().cumsum(0), flat.cumsum(0)), 0);
  report.at_most("cuda::select",
                 distance(at::nonzero(numbers.cuda() > 1), at::nonzero(numbers > 1)), 0);
  const at::Tensor few = flat.remainder(97);
  report.at_most("cuda::unique",
                 distance(std::get<0>(at::_unique2(few.cuda())), std::get<0>(at::_unique2(few))),
                 0);
  report.at_most("cuda::sum", distance(numbers.cuda().sum(), numbers.to(at::kDouble).sum()), 1e-4);
}

}  // namespace

void check_cuda_libraries(Report& report, const Expectations& expected) {
  report.topic("cuda::cudnn", [&] { check_cudnn(report, expected); });
  report.topic("cuda::transforms", [&] { check_transforms(report); });
  report.topic("cuda::sparse", [&] { check_sparse(report); });
  report.topic("cuda::random", [&] { check_random(report); });
  report.topic("cuda::sorting", [&] { check_sorting(report); });
}
