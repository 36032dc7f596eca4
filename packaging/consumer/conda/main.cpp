// SPDX-License-Identifier: BSD-3-Clause
// Linear algebra, a convolution, and an exception that comes out of the library.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::manual_seed(0);
  const auto matrix = torch::randn({30, 20}, torch::kFloat64);
  const auto [u, s, v] = torch::linalg_svd(matrix, false);
  const bool right = torch::allclose(u.mm(torch::diag(s)).mm(v), matrix);
  torch::nn::Conv2d convolution(3, 4, 3);
  const auto image = convolution->forward(torch::rand({1, 3, 8, 8}));
  bool caught = false;
  try {
    (void)matrix.mm(matrix);
  } catch (const c10::Error&) {
    caught = true;
  }
  std::cout << TORCH_VERSION << " svd " << right << " convolution " << image.sizes()
            << " exception " << caught << "\n";
  return right && image.size(2) == 6 && caught ? 0 : 1;
}
