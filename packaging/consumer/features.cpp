// SPDX-License-Identifier: BSD-3-Clause
//
// What libtorch says that it was built with, and whether it is true: every feature that can be
// tried is tried. Gloo has a file of its own, distributed.cpp.
#include <ATen/ATen.h>
#include <ATen/Config.h>
#include <ATen/Context.h>
#include <ATen/Version.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/stubs/base.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "report.h"

namespace {

// "BLAS_INFO=mkl, " in the configuration gives "mkl".
std::string build_setting(const std::string& name) {
  const std::string config = at::show_config();
  const auto begin = config.find(" " + name + "=");
  if (begin == std::string::npos) {
    return "";
  }
  const auto value = begin + name.size() + 2;
  return config.substr(value, config.find(',', value) - value);
}

bool has_engine(at::QEngine engine) {
  const auto& engines = at::globalContext().supportedQEngines();
  return std::find(engines.begin(), engines.end(), engine) != engines.end();
}

// Records an operator and writes the trace: only possible with Kineto.
bool kineto_works() {
  namespace profiler = torch::autograd::profiler;
  const profiler::ProfilerConfig config(profiler::ProfilerState::KINETO);
  const std::set<profiler::ActivityType> activities = {profiler::ActivityType::CPU};
  profiler::prepareProfiler(config, activities);
  profiler::enableProfiler(config, activities);
  at::ones({2}).add(1);
  const auto result = profiler::disableProfiler();
  try {
    result->save("torch_consumer_trace.json");
  } catch (const c10::Error&) {
    return false;
  }
  std::FILE* trace = std::fopen("torch_consumer_trace.json", "r");
  std::string text(1 << 16, '\0');
  text.resize(trace == nullptr ? 0 : std::fread(text.data(), 1, text.size(), trace));
  if (trace != nullptr) {
    std::fclose(trace);
  }
  return text.find("aten::add") != std::string::npos;
}

std::map<std::string, bool> features() {
  auto& context = at::globalContext();
  std::map<std::string, bool> on = {
      {"OPENMP", context.hasOpenMP()},
      {"MKL", context.hasMKL()},
      {"LAPACK", context.hasLAPACK()},
      {"MKLDNN", context.hasMKLDNN()},
      {"XNNPACK", context.isXNNPACKAvailable()},
      {"FBGEMM", has_engine(at::kFBGEMM)},
      {"PYTORCH_QNNPACK", has_engine(at::kQNNPACK)},
      {"ITT", torch::profiler::impl::ittStubs()->enabled()},
      {"KINETO", kineto_works()},
      // The package's features, not the machine's.
      {"NNPACK", bool(AT_NNPACK_ENABLED())},
      {"CUDA", context.hasCUDART()},
      {"CUDNN", context.hasCuDNN()},
      {"MAGMA", context.hasMAGMA()},
  };
#ifdef USE_DISTRIBUTED
  on["DISTRIBUTED"] = true;
#else
  on["DISTRIBUTED"] = false;
#endif
#ifdef USE_C10D_GLOO
  on["GLOO"] = true;
#else
  on["GLOO"] = false;
#endif
#ifdef USE_C10D_NCCL
  on["NCCL"] = true;
#else
  on["NCCL"] = false;
#endif
#ifdef USE_TENSORPIPE
  on["TENSORPIPE"] = true;
#else
  on["TENSORPIPE"] = false;
#endif
  on["ONEDNN"] = on["MKLDNN"];
  on["QNNPACK"] = on["PYTORCH_QNNPACK"];
  return on;
}

void check_configuration(Report& report, const Expectations& expected) {
  const std::string config = at::show_config();
  for (size_t begin = 0; begin < config.size(); begin = config.find('\n', begin) + 1) {
    std::printf("   %s\n", config.substr(begin, config.find('\n', begin) - begin).c_str());
    if (config.find('\n', begin) == std::string::npos) {
      break;
    }
  }
  report.add("configuration", config.find("PyTorch built with") == 0,
             std::to_string(config.size()) + " characters",
             "a text that begins with 'PyTorch built with'");

  // A processor with AVX2 must not end up in the plain kernels.
  const std::string capability = at::get_cpu_capability();
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  report.add("cpu_capability", !wide || capability.rfind("AVX", 0) == 0, capability,
             "AVX2 or AVX512 on this processor");
#else
  report.add("cpu_capability", !capability.empty(), capability, "a name");
#endif

  std::string blas = build_setting("BLAS_INFO");
  if (!expected.blas.empty()) {
    // PyTorch calls OpenBLAS "open".
    const std::string wanted = expected.blas == "openblas" ? "open" : expected.blas;
    report.equal("blas", blas, wanted);
  } else {
    report.add("blas", true, blas.empty() ? "unknown" : blas, "");
  }

  const auto on = features();
  for (const auto& [name, value] : on) {
    if (expected.features.count(name) == 0) {
      report.add("feature::" + name, true, value ? "on" : "off", "");
    }
  }
  for (const auto& [name, wanted] : expected.features) {
    const auto feature = on.find(name);
    if (feature == on.end()) {
      if (wanted) report.skip("feature::" + name, "a program cannot ask for it");
    } else if (name == "FBGEMM" && std::string(at::get_cpu_capability()) == "DEFAULT") {
      report.skip("feature::" + name, "this processor has no AVX2");
    } else {
      report.equal("feature::" + name, std::string(feature->second ? "on" : "off"),
                   std::string(wanted ? "on" : "off"));
    }
  }
}

at::Tensor call(const char* op, std::vector<c10::IValue> arguments) {
  c10::Dispatcher::singleton().findSchemaOrThrow(op, "").callBoxed(&arguments);
  return arguments.at(0).toTensor();
}

c10::IValue prepack(const char* op, std::vector<c10::IValue> arguments) {
  c10::Dispatcher::singleton().findSchemaOrThrow(op, "").callBoxed(&arguments);
  return arguments.at(0);
}

std::string text(const at::Tensor& tensor) {
  std::string out;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    out += (i == 0 ? "" : " ") + Report::text(tensor.flatten()[i].item<double>());
  }
  return out;
}

// The same linear layer for every engine: [1 2] times the transposed [[1 1] [2 0]] gives [3 2].
void check_linear_layers(Report& report) {
  const at::Tensor x = at::tensor({1.0F, 2.0F}).reshape({1, 2});
  const at::Tensor weight = at::tensor({1.0F, 1.0F, 2.0F, 0.0F}).reshape({2, 2});
  const auto none = c10::IValue();

  const at::Tensor rounded =
      at::quantize_per_tensor(at::tensor({-1.0F, 0.0F, 1.0F, 2.0F}), 0.1, 10, at::kQUInt8);
  report.equal("quantized::values", text(rounded.int_repr().to(at::kFloat)),
               std::string("0 10 20 30"));
  auto& context = at::globalContext();
  const at::QEngine before = context.qEngine();
  for (const at::QEngine engine : context.supportedQEngines()) {
    if (engine == at::kNoQEngine) {
      continue;
    }
    const std::string name = "quantized::linear_" + toString(engine);
#if !defined(__x86_64__)
    // Elsewhere PyTorch offers them, and they throw "unknown architecure" (pytorch issue 186363).
    if (engine == at::kFBGEMM || engine == at::kX86) {
      report.skip(name, "FBGEMM multiplies 8-bit matrices on x86-64 only; use QNNPACK");
      continue;
    }
#endif
    context.setQEngine(engine);
    report.topic(name, [&] {
      const auto packed = prepack("quantized::linear_prepack",
                                  {at::quantize_per_tensor(weight, 0.5, 0, at::kQInt8), none});
      const at::Tensor y = call("quantized::linear",
                                {at::quantize_per_tensor(x, 0.5, 0, at::kQUInt8), packed, 0.5, 0});
      report.equal(name, text(y.dequantize()), std::string("3 2"));
    });
  }
  context.setQEngine(before);

  if (context.isXNNPACKAvailable()) {
    const auto packed = prepack("prepacked::linear_clamp_prepack", {weight, none, none, none});
    report.equal("xnnpack::linear", text(call("prepacked::linear_clamp_run", {x, packed})),
                 std::string("3 2"));
  }
  if (context.hasMKLDNN()) {
    const at::Tensor y = at::linear(x.to_mkldnn(), weight.to_mkldnn());
    report.equal("mkldnn::linear", text(y.to_dense()), std::string("3 2"));
  }
}

// One convolution by NNPACK itself: at::conv2d() takes another library for this size.
void check_nnpack(Report& report) {
  if (!AT_NNPACK_ENABLED()) {
    return;
  }
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    report.skip("nnpack::convolution", "this processor has no AVX2 and FMA");
    return;
  }
#endif
  report.equal("nnpack::available", at::_nnpack_available(), true);
  // A picture of ones: inside nine of them meet the kernel, at an edge six, at a corner four.
  const at::Tensor y = at::_nnpack_spatial_convolution(
      at::ones({1, 1, 4, 4}), at::ones({1, 1, 3, 3}), at::zeros({1}), {1, 1}, {1, 1});
  const at::Tensor expected = at::tensor({4.0F, 6.0F, 6.0F, 4.0F, 6.0F, 9.0F, 9.0F, 6.0F, 6.0F,
                                          9.0F, 9.0F, 6.0F, 4.0F, 6.0F, 6.0F, 4.0F})
                                  .reshape({1, 1, 4, 4});
  report.at_most("nnpack::convolution", (y - expected).abs().max().item<double>(), 1e-4);
}

// Marks a range for VTune, of which nothing is seen when no VTune looks on.
void check_itt(Report& report) {
  const auto* itt = torch::profiler::impl::ittStubs();
  if (!itt->enabled()) {
    return;
  }
  itt->rangePush("torch_consumer");
  itt->rangePop();
  report.add("itt::range", true, "pushed and popped", "");
}

}  // namespace

void check_features(Report& report, const Expectations& expected) {
  report.topic("configuration", [&] { check_configuration(report, expected); });
  report.topic("linear_layers", [&] { check_linear_layers(report); });
  report.topic("nnpack", [&] { check_nnpack(report); });
  report.topic("itt", [&] { check_itt(report); });
  check_distributed(report);
}
