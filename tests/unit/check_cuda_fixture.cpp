// SPDX-License-Identifier: BSD-3-Clause
#include "check_cuda_fixture.h"

#include "fat_binaries.h"
#include "sample_package.h"

namespace torchpkg::test {

namespace {

const Names kMarks = {"NCCL version 2.21.5+cuda12.4", "_Z21ncclDevKernel_GenericP11ncclDevComm",
                      "_Z11zgemm_smallILi32EEv13magma_trans_t"};

std::string good_code() {
  return fat_binary({"sm_80", "sm_90", "compute_90"}) +
         fat_binary({"sm_80", "sm_90", "sm_90a", "compute_90"}) +
         fat_binary({"sm_80", "sm_90", "compute_90"});
}

/// A library in lib/ with texts among its constants, and fat binaries; RPATH is $ORIGIN.
void add_library(const fs::path& root, const std::string& name, const Names& texts,
                 const std::string& code = {}, Names flags = {}) {
  const fs::path file = root / "lib" / name;
  std::string source = cuda_source(texts);
  if (!code.empty()) source = source_with_section(file, ".nv_fatbin", code, source);
  flags.emplace_back("-Wl,--disable-new-dtags,-rpath,$ORIGIN");
  compile_shared(source, file, flags);
  fs::remove(file.string() + ".bin");
}

void compile_torch_cuda(const fs::path& root, const std::string& code, const Names& texts) {
  const std::string folder = (root / "lib").string() + "/";
  add_library(
      root, "libtorch_cuda.so", texts, code,
      {"-Wl,--no-as-needed", folder + "libtorch_cpu.so", folder + "libcudart.so.12",
       folder + "libcudnn.so.9", folder + "libcublas.so.12", "-Wl,--allow-shlib-undefined"});
}

}  // namespace

std::string cuda_source(const Names& texts) {
  std::string source =
      "#include <dlfcn.h>\n"
      "namespace torch { void* open(const char* name) { return dlopen(name, RTLD_NOW); } }\n";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    source += "__attribute__((used)) static const char text" + std::to_string(i) + "[] = \"" +
              texts[i] + "\";\n";
  }
  return source;
}

void make_cuda_package(const fs::path& root) {
  const std::string both = fat_binary({"sm_80", "compute_80"}) + fat_binary({"sm_90"});
  const auto add_part = [&](const std::string& name, const Names& texts, const std::string& code) {
    add_library(root, name, texts, code);
  };
  add_part("libcudart.so.12", {}, "");
  add_part("libcublas.so.12", {}, both);
  add_part("libnvrtc-builtins.so.12.4", {}, "");
  add_part("libnvrtc.so.12",
           {"Cuda compilation tools, release 12.4, V12.4.127", "libnvrtc-builtins.so.12.4"}, "");
  add_part("libcudnn.so.9", {"libcudnn_graph.so", "libcudnn_ops.so"}, "");
  add_part("libcudnn_graph.so.9", {"cudnn_version_9_1_0_70_c34102860_e0", "libnvrtc.so"}, "");
  for (const char* part :
       {"ops", "cnn", "adv", "heuristic", "engines_precompiled", "engines_runtime_compiled"}) {
    add_part(std::string("libcudnn_") + part + ".so.9", {}, both);
  }
  Json bundled = Json::array();
  for (const auto& entry : fs::directory_iterator(root / "lib")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("libcu") && !name.starts_with("libnv")) continue;
    bundled.push_back({{"name", name}, {"from", name}, {"sha256", "00"}, {"file", name}});
  }
  compile_torch_cuda(root, good_code(), kMarks);
  write_file(root / "build-version", "2.6.0+cu124\n");
  write_file(root / "include/ATen/cuda/CUDAConfig.h",
             "#define AT_MAGMA_ENABLED() 1\n"
             "#define NVCC_FLAGS_EXTRA \"-gencode;arch=compute_80,code=sm_80;"
             "-gencode;arch=compute_90,code=sm_90;-gencode;arch=compute_90,code=compute_90\"\n");

  Json manifest = Json::parse(file_content(root / "manifest.json"));
  manifest["version"] = "2.6.0+cu124";
  manifest["backend"] = "cu124";
  manifest["backend_kind"] = "cuda";
  manifest["features"]["NCCL"] = {{"enabled", true}};
  manifest["features"]["MAGMA"] = {{"enabled", true}};
  for (const auto& [name, version] : {std::pair{"nccl", "2.21.5-1"}, {"magma", "2.9.0"}}) {
    Json package = manifest["packages"][0];
    package["name"] = name;
    package["version"] = version;
    manifest["packages"].push_back(package);
    write_file(root / "share/licenses" / name / "LICENSE", "licence\n");
  }
  for (const Json& library : bundled) manifest["bundled"].push_back(library);
  manifest["cuda"] = {{"version", "12.4"},
                      {"archs", {"8.0", "9.0+PTX"}},
                      {"additional_archs", Json::array({"9.0a"})},
                      {"versions", {{"cudnn", "9.1.0"}, {"nccl", "2.21.5"}, {"magma", "2.9.0"}}}};
  write_file(root / "manifest.json", manifest.dump(2));
}

void CheckCuda::SetUp() {
  static const TemporaryFolder good;
  static const fs::path package = [] {
    fs::path made = make_sample_package(good.path());
    make_cuda_package(made);
    return made;
  }();
  use(package);
}

Change CheckCuda::make_torch_cuda(const std::string& fat_binaries, const Names& texts) {
  return [=](const fs::path& root) {
    compile_torch_cuda(root, fat_binaries, texts.empty() ? kMarks : texts);
  };
}

}  // namespace torchpkg::test
