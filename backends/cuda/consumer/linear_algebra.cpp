// SPDX-License-Identifier: BSD-3-Clause
//
// Linear algebra by cuSOLVER, by MAGMA, and by what PyTorch chooses itself. A decomposition is
// multiplied out; it has signs and orders to choose, the product has none.
#include <ATen/Context.h>
#include <torch/version.h>

#include "checks.h"

namespace {

at::Tensor random(at::IntArrayRef sizes, at::ScalarType type) {
  return at::randn(sizes, at::kDouble).to(type);
}

// Seen with 2.11.0 on an H200: CUSOLVER_STATUS_INVALID_VALUE of gesvdj, and wrong numbers for a
// batch.
bool svd_of_magma_is_broken() { return TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 11; }

void check_one(Report& report, const std::string& by, at::ScalarType type) {
  const double limit = type == at::kDouble ? 1e-10 : 2e-4;
  const auto row = [&](const std::string& what, const std::function<double()>& error) {
    const std::string name = "cuda::" + what + "::" + by + "::" + c10::toString(type);
    report.topic(name, [&] { report.at_most(name, error(), limit); });
  };
  at::manual_seed(41);
  const at::Tensor tall = random({60, 40}, type);
  const at::Tensor square = random({50, 50}, type) + 10 * at::eye(50, type);
  const at::Tensor symmetric = square + square.t();
  const at::Tensor positive = square.mm(square.t());
  const at::Tensor batch = random({16, 24, 24}, type) + 5 * at::eye(24, type);

  if (by == "magma" && svd_of_magma_is_broken()) {
    report.skip("cuda::svd::magma",
                "PyTorch gives it to cuSOLVER then, with an argument that is wrong");
  } else {
    row("svd", [&] {
      const auto [u, s, vh] = at::linalg_svd(tall.cuda(), false);
      return distance((u * s).mm(vh), tall) + distance(s, at::linalg_svdvals(tall));
    });
    row("svd_batched", [&] {
      const auto [u, s, vh] = at::linalg_svd(batch.cuda(), false);
      return distance((u * s.unsqueeze(-2)).matmul(vh), batch);
    });
  }
  row("eigh", [&] {
    const auto [values, vectors] = at::linalg_eigh(symmetric.cuda());
    return distance((vectors * values).mm(vectors.t()), symmetric) +
           distance(values, at::linalg_eigvalsh(symmetric));
  });
  row("lstsq", [&] {
    const at::Tensor right = random({60, 3}, type);
    return distance(std::get<0>(at::linalg_lstsq(tall.cuda(), right.cuda())),
                    std::get<0>(at::linalg_lstsq(tall.to(at::kDouble), right.to(at::kDouble))));
  });
  row("solve", [&] {
    const at::Tensor right = random({50, 3}, type);
    return distance(square.cuda().mm(at::linalg_solve(square.cuda(), right.cuda())), right);
  });
  row("solve_batched", [&] {
    const at::Tensor right = random({16, 24, 2}, type);
    return distance(batch.cuda().matmul(at::linalg_solve(batch.cuda(), right.cuda())), right);
  });
  row("cholesky", [&] {
    const at::Tensor factor = at::linalg_cholesky(positive.cuda());
    return distance(factor.mm(factor.t()), positive);
  });
  row("cholesky_batched", [&] {
    const at::Tensor many = batch.matmul(batch.transpose(1, 2)).cuda();
    const at::Tensor factor = at::linalg_cholesky(many);
    return distance(factor.matmul(factor.transpose(1, 2)), many);
  });
  row("lu_batched", [&] {
    const auto [factors, pivots] = at::linalg_lu_factor(batch.cuda());
    const auto [p, l, u] = at::lu_unpack(factors, pivots);
    return distance(p.matmul(l).matmul(u), batch);
  });
  row("qr", [&] {
    const auto [q, r] = at::linalg_qr(tall.cuda());
    return distance(q.mm(r), tall);
  });
  row("inverse",
      [&] { return distance(at::linalg_inv(square.cuda()).mm(square.cuda()), at::eye(50)); });
  row("det", [&] {
    return distance(at::linalg_det(batch.cuda() / 5), at::linalg_det(batch.to(at::kDouble) / 5));
  });
}

// A matrix that is not symmetric: of the two libraries MAGMA alone had it for long.
void check_general_eigenvalues(Report& report) {
  at::manual_seed(42);
  const at::Tensor matrix = at::randn({30, 30}, at::kDouble);
  const auto [values, vectors] = at::linalg_eig(matrix.cuda());
  const at::Tensor left = matrix.cuda().to(at::kComplexDouble).mm(vectors);
  report.at_most("cuda::eig::magma",
                 distance(at::view_as_real(left), at::view_as_real(vectors * values)), 1e-10);
}

}  // namespace

void check_cuda_linear_algebra(Report& report, const Expectations& expected) {
  auto& context = at::globalContext();
  const bool tf32 = context.allowTF32CuBLAS();
  context.setAllowTF32CuBLAS(false);
  const bool magma =
      is_there(report, expected, "cuda::magma", "MAGMA", context.hasMAGMA(), "built without MAGMA");
  const std::pair<const char*, at::LinalgBackend> backends[] = {
      {"any", at::LinalgBackend::Default},
      {"cusolver", at::LinalgBackend::Cusolver},
      {"magma", at::LinalgBackend::Magma}};
  for (const auto& [name, backend] : backends) {
    if (backend == at::LinalgBackend::Magma && !magma) {
      continue;
    }
    context.setLinalgPreferredBackend(backend);
    for (const auto type : {at::kDouble, at::kFloat}) {
      check_one(report, name, type);
    }
  }
  if (magma) {
    report.topic("cuda::eig", [&] { check_general_eigenvalues(report); });
  }
  context.setLinalgPreferredBackend(at::LinalgBackend::Default);
  context.setAllowTF32CuBLAS(tf32);
}
