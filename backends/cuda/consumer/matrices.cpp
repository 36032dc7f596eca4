// SPDX-License-Identifier: BSD-3-Clause
//
// Products and convolutions in every type, against the same in double precision on the CPU.
#include <ATen/Context.h>

#include <utility>

#include "checks.h"

namespace {

struct Kind {
  at::ScalarType type;
  double limit;  // relative to the largest number of the result
};
const Kind kinds[] = {
    {at::kDouble, 1e-12}, {at::kFloat, 1e-5}, {at::kHalf, 2e-3}, {at::kBFloat16, 1e-2}};

void check_products(Report& report) {
  auto& context = at::globalContext();
  at::manual_seed(11);
  const at::Tensor left = at::randn({65, 300}, at::kDouble);
  const at::Tensor right = at::randn({300, 130}, at::kDouble);
  for (const auto& [type, limit] : kinds) {
    // What the type makes of the numbers is not what is to be checked.
    const at::Tensor x = left.to(type);
    const at::Tensor y = right.to(type);
    const at::Tensor product = x.to(at::kDouble).mm(y.to(at::kDouble));
    const std::string name = c10::toString(type);
    context.setAllowTF32CuBLAS(false);
    report.at_most("cuda::matmul::" + name, distance(x.cuda().mm(y.cuda()), product), limit);
    const at::Tensor bias = at::ones({130}, type);
    report.at_most("cuda::addmm::" + name,
                   distance(at::addmm(bias.cuda(), x.cuda(), y.cuda()), product + 1), limit);
    if (type == at::kFloat) {
      context.setAllowTF32CuBLAS(true);
      report.at_most("cuda::matmul::TF32", distance(x.cuda().mm(y.cuda()), product), 2e-3);
      context.setAllowTF32CuBLAS(false);
    }
  }
  const at::Tensor batch = at::randn({7, 33, 65}, at::kDouble);
  report.at_most("cuda::matmul::batched",
                 distance(batch.cuda().matmul(left.cuda()), batch.matmul(left)), 1e-12);
  const at::Tensor bytes = at::randint(-100, 100, {32, 64}, at::kChar);
  report.at_most("cuda::matmul::int8",
                 distance(at::_int_mm(bytes.cuda(), bytes.cuda().t()),
                          bytes.to(at::kDouble).mm(bytes.t().to(at::kDouble))),
                 0);
}

// The result, and the gradients of image and weight.
std::vector<at::Tensor> convolution(const at::Tensor& image, const at::Tensor& weight,
                                    const at::Tensor& gradient) {
  const at::Tensor x = image.detach().clone().set_requires_grad(true);
  const at::Tensor w = weight.detach().clone().set_requires_grad(true);
  const at::Tensor y = at::conv2d(x, w, {}, 1, 1);
  y.backward(gradient);
  return {y.detach(), x.grad(), w.grad()};
}

void check_convolutions(Report& report) {
  auto& context = at::globalContext();
  at::manual_seed(12);
  const at::Tensor image = at::randn({2, 16, 20, 20}, at::kDouble);
  const at::Tensor weight = at::randn({8, 16, 3, 3}, at::kDouble);
  const at::Tensor gradient = at::randn({2, 8, 20, 20}, at::kDouble);
  const char* parts[] = {"", "::gradient_of_image", "::gradient_of_weight"};
  const auto compare = [&](const std::string& name, const Kind& kind) {
    const at::Tensor x = image.to(kind.type);
    const at::Tensor w = weight.to(kind.type);
    const at::Tensor g = gradient.to(kind.type);
    const auto expected = convolution(x.to(at::kDouble), w.to(at::kDouble), g.to(at::kDouble));
    const auto found = convolution(x.cuda(), w.cuda(), g.cuda());
    for (size_t part = 0; part < found.size(); ++part) {
      report.at_most("cuda::conv2d::" + name + parts[part], distance(found[part], expected[part]),
                     kind.limit);
    }
  };
  context.setAllowTF32CuDNN(false);
  const bool cudnn = context.hasCuDNN();
  for (const Kind& kind : kinds) {
    const std::string type = c10::toString(kind.type);
    if (cudnn) {
      report.topic("cuda::conv2d::" + type, [&] { compare(type + "::cudnn", kind); });
    }
    context.setUserEnabledCuDNN(false);
    report.topic("cuda::conv2d::" + type, [&] { compare(type + "::native", kind); });
    context.setUserEnabledCuDNN(true);
  }
  if (cudnn) {
    context.setAllowTF32CuDNN(true);
    compare("TF32::cudnn", {at::kFloat, 2e-3});
    context.setAllowTF32CuDNN(false);
  }
}

}  // namespace

void check_cuda_matrices(Report& report) {
  report.topic("cuda::products", [&] { check_products(report); });
  report.topic("cuda::convolutions", [&] { check_convolutions(report); });
}
