// SPDX-License-Identifier: BSD-3-Clause
//
// TorchScript, operators of the program's own, and exceptions that cross between the program and
// libtorch.
#include <dlfcn.h>
#include <torch/csrc/jit/frontend/error_report.h>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/jit.h>
#include <torch/library.h>
#include <torch/script.h>
#include <torch/version.h>

#include <sstream>
#include <stdexcept>

#include "report.h"

namespace {

// Runs `call`, expects an exception of exactly this type (or one derived from it) whose text holds
// `part`.
template <typename Exception, typename Call>
void expect_exception(Report& report, const std::string& name, const std::string& part,
                      const Call& call) {
  const std::string expected = "an exception with the text '" + part + "'";
  try {
    try {
      call();
      report.add(name, false, "no exception", expected);
    } catch (const Exception& error) {
      const std::string text = error.what();
      report.add(name, text.find(part) != std::string::npos, text.substr(0, text.find('\n')),
                 expected);
    }
  } catch (const std::exception& error) {
    report.add(name, false, std::string("another type of exception: ") + error.what(), expected);
  } catch (...) {
    report.add(name, false, "an exception that is not a std::exception", expected);
  }
}

at::Tensor twice(const at::Tensor& x) { return x * 2; }

at::Tensor refuse(const at::Tensor& x) {
  throw std::domain_error("refused by the program, dimensions: " + std::to_string(x.dim()));
}

TORCH_LIBRARY(torch_consumer, library) {
  library.def("twice(Tensor x) -> Tensor", twice);
  library.def("refuse(Tensor x) -> Tensor", refuse);
}

at::Tensor run_graph(const std::string& op, const at::Tensor& x) {
  auto graph = std::make_shared<torch::jit::Graph>();
  torch::jit::parseIR("graph(%x : Tensor):\n  %y : Tensor = " + op + "(%x)\n  return (%y)\n",
                      graph.get());
  torch::jit::GraphExecutor executor(graph, "run_graph");
  torch::jit::Stack stack{x};
  executor.run(stack);
  return stack.at(0).toTensor();
}

void check_scripts(Report& report) {
  const auto unit = torch::jit::compile(R"(
def power(x, n : int):
    y = torch.ones_like(x)
    i = 0
    while i < n:
        y = torch.mul(y, x)
        i += 1
    return y
def fibonacci(n : int) -> int:
    pair = [0, 1]
    for i in range(n):
        pair = [pair[1], pair[0] + pair[1]]
    return pair[0]
)");
  const at::Tensor x = torch::tensor({1.0, 2.0, 3.0});
  at::Tensor cubes;
  for (int run = 0; run < 3; ++run) {  // the second run is profiled, the third one optimised
    cubes = unit->run_method("power", x, int64_t{3}).toTensor();
  }
  report.equal("script::function", Report::text(cubes.sum().item<double>()), Report::text(36));
  report.equal("script::loop", unit->run_method("fibonacci", int64_t{15}).toInt(), int64_t{610});

  torch::jit::Module module("Affine");
  module.register_parameter("weight", torch::tensor({{1.0, -2.0}, {0.5, 4.0}}), false);
  module.register_buffer("bias", torch::tensor({1.0, -20.0}));
  module.define(R"(
def forward(self, x):
    return torch.relu(torch.addmv(self.bias, self.weight, x))
)");
  const at::Tensor input = torch::tensor({3.0, 1.0}, torch::requires_grad());
  const at::Tensor before = module.forward({input}).toTensor();
  report.equal(
      "script::module",
      Report::text(before[0].item<double>()) + " " + Report::text(before[1].item<double>()),
      std::string("2 0"));
  before.sum().backward();
  report.equal("script::gradient", Report::text(input.grad()[1].item<double>()), std::string("-2"));

  module.save("torch_consumer_module.pt");
  report.add("script::load_file",
             torch::equal(torch::jit::load("torch_consumer_module.pt").forward({input}).toTensor(),
                          before),
             "the loaded module against the saved one", "equal results");
  std::stringstream stream;
  module.save(stream);
  torch::jit::Module frozen = torch::jit::load(stream);
  frozen.eval();
  frozen = torch::jit::freeze(frozen);
  report.add("script::load_stream_and_freeze",
             torch::equal(frozen.forward({input}).toTensor(), before),
             "the frozen module against the saved one", "equal results");
  expect_exception<torch::jit::ErrorReport>(report, "script::unknown_operator", "nonsense", [] {
    torch::jit::compile("def f(x):\n    return torch.nonsense(x)\n");
  });
}

void check_exceptions(Report& report) {
  const at::Tensor x = torch::ones({2, 3});
  expect_exception<c10::Error>(report, "exception::from_libtorch", "shapes cannot be multiplied",
                               [&] { x.matmul(x); });
  expect_exception<std::exception>(report, "exception::as_std_exception",
                                   "shapes cannot be multiplied", [&] { x.matmul(x); });
  expect_exception<c10::IndexError>(report, "exception::derived_type", "out of range",
                                    [&] { x.select(0, 7); });

  // From the program through libtorch back into the program.
  const auto refusing =
      c10::Dispatcher::singleton().findSchemaOrThrow("torch_consumer::refuse", "");
  expect_exception<std::domain_error>(
      report, "exception::through_dispatcher", "refused by the program",
      [&] { refusing.typed<at::Tensor(const at::Tensor&)>().call(x); });
  expect_exception<std::domain_error>(report, "exception::through_boxed_call",
                                      "refused by the program", [&] {
                                        torch::jit::Stack stack{x};
                                        refusing.callBoxed(&stack);
                                      });
  expect_exception<std::exception>(report, "exception::through_interpreter",
                                   "refused by the program",
                                   [&] { run_graph("torch_consumer::refuse", x); });
  expect_exception<std::exception>(report, "exception::through_autograd", "refused by a hook", [&] {
    const at::Tensor leaf = torch::ones({2}, torch::requires_grad());
    leaf.register_hook(
        [](at::Tensor) -> at::Tensor { throw std::logic_error("refused by a hook"); });
    (leaf * 2).sum().backward();
  });
}

// What was compiled for the stable ABI of one release registers its operator in another one.
void check_extension(Report& report, const std::string& file) {
  const bool loaded = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
  report.add("extension::load", loaded, loaded ? file : dlerror(), "it loads");
  if (!loaded) return;
  const auto thrice =
      c10::Dispatcher::singleton().findSchemaOrThrow("stable_extension::thrice", "");
  const at::Tensor found =
      thrice.typed<at::Tensor(const at::Tensor&)>().call(torch::tensor({1.0F, 2.5F}));
  report.add("extension::operator", torch::equal(found, torch::tensor({3.0F, 7.5F})),
             Report::text(found.sum().item<double>()), "10.5");
}

}  // namespace

void check_script(Report& report, const Expectations& expected) {
  report.topic("version", [&] {
    const std::string wanted =
        expected.version.empty() ? std::string(TORCH_VERSION) : expected.version;
    report.equal("version::header", std::string(TORCH_VERSION), wanted);
    report.equal("version::package", std::string(CONSUMER_PACKAGE_VERSION), wanted);
  });
  report.topic("scripts", [&] { check_scripts(report); });
  report.topic("operators", [&] {
    const at::Tensor x = torch::full({2}, 21.0);
    report.equal("operator::of_the_program",
                 run_graph("torch_consumer::twice", x).sum().item<double>(), 84.0);
  });
  report.topic("exceptions", [&] { check_exceptions(report); });
  if (!expected.extension.empty()) {
    report.topic("extension", [&] { check_extension(report, expected.extension); });
  }
}
