// SPDX-License-Identifier: BSD-3-Clause
#include "sample_package.h"

#include <gtest/gtest.h>

#include "common/file.h"
#include "elf/elf_image.h"
#include "support.h"

namespace torchpkg::test {

const char* const kC10Source =
    "#include <string>\n"
    "namespace c10 { std::string warn(const std::string& text) { return text + \"!\"; } }\n";

namespace {

// The statics are what PyTorch's dispatcher leaves in the symbol table.
constexpr const char* kCpuSource = R"(
#include <string>
namespace c10 { std::string warn(const std::string& text); }
extern "C" int helper();
namespace at::native {
template <typename Function> struct DispatchStub { static int AVX2; static int AVX512; };
template <typename Function> int DispatchStub<Function>::AVX2 = 2;
template <typename Function> int DispatchStub<Function>::AVX512 = 5;
template struct DispatchStub<void (*)(int)>;
}
namespace torch {
std::string version(const std::string& text) {
  int sum = helper();
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  return c10::warn(text + std::to_string(sum));
}
}
)";

constexpr const char* kToolSource =
    "#include <string>\n"
    "namespace torch { std::string version(const std::string&); }\n"
    "int main() { return torch::version(\"x\") == \"x4951!\" ? 0 : 1; }\n";

constexpr const char* kTorchConfig =
    "get_filename_component(TORCH_INSTALL_PREFIX \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n"
    "find_library(TORCH_LIBRARY torch_cpu PATHS \"${TORCH_INSTALL_PREFIX}/lib\")\n"
    "set(TORCH_CXX_FLAGS \"-D_GLIBCXX_USE_CXX11_ABI=1\")\n";

constexpr const char* kStaticTorchConfig =
    "get_filename_component(TORCH_INSTALL_PREFIX \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n"
    "set(TORCH_CXX_FLAGS \"-D_GLIBCXX_USE_CXX11_ABI=1\")\n"
    "find_package(OpenMP REQUIRED)\n"
    "set(TORCH_LIBRARIES -Wl,--whole-archive \"${TORCH_INSTALL_PREFIX}/lib/libtorch_cpu.a\"\n"
    "  \"${TORCH_INSTALL_PREFIX}/lib/libc10.a\" -Wl,--no-whole-archive\n"
    "  \"${TORCH_INSTALL_PREFIX}/lib/libothers.a\" OpenMP::OpenMP_CXX)\n";

constexpr const char* kVersionHeader =
    "#pragma once\n"
    "#define TORCH_VERSION_MAJOR 2\n"
    "#define TORCH_VERSION_MINOR 6\n"
    "#define TORCH_VERSION_PATCH 0\n"
    "#define TORCH_VERSION \\\n"
    "  \"2.6.0\"\n";

constexpr const char* kTorchConfigVersion =
    "set(PACKAGE_VERSION \"2.6.0\")\n"
    "if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n"
    "  set(PACKAGE_VERSION_COMPATIBLE FALSE)\n"
    "endif()\n";

/// RPATH, as `bundle` sets it.
std::vector<std::string> with_rpath(std::vector<std::string> flags, const std::string& rpath) {
  flags.push_back("-Wl,--disable-new-dtags,-rpath," + rpath);
  return flags;
}

void compile_libraries(const fs::path& root) {
  const std::string lib = "-L" + (root / "lib").string();
  compile_shared(kC10Source, root / "lib/libc10.so", with_rpath({"-g1"}, "$ORIGIN"));
  compile_shared("extern \"C\" int helper() { return 1; }\n", root / "lib/libhelper.so.1",
                 with_rpath({}, "$ORIGIN"));
  compile_shared(
      kCpuSource, root / "lib/libtorch_cpu.so",
      with_rpath({"-g1", "-fopenmp", lib, "-lc10", (root / "lib/libhelper.so.1").string()},
                 "$ORIGIN"));
  compile(kToolSource, root / "bin/tool",
          with_rpath({lib, "-ltorch_cpu", "-Wl,--allow-shlib-undefined"}, "$ORIGIN/../lib"));
  std::string gomp = run_command({TORCHPKG_CXX, "-print-file-name=libgomp.so.1"}).output;
  gomp.pop_back();
  fs::copy_file(fs::canonical(gomp), root / "lib/libgomp.so.1");
}

}  // namespace

void split_debug_information(const fs::path& library, const fs::path& debug) {
  const std::string name = library.filename().string();
  const fs::path folder = debug / "lib/.debug";
  const fs::path file = folder / (name + ".debug");
  fs::create_directories(folder);
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"objcopy", "--only-keep-debug", library.string(), file.string()},
           {"objcopy", "--strip-debug", "--add-gnu-debuglink=" + file.string(),
            library.string()}}) {
    must_run(command);
  }
  const MappedFile content(library);
  const std::string id = ElfImage(content.bytes(), name).build_id();
  const fs::path link = folder / ".build-id" / id.substr(0, 2) / (id.substr(2) + ".debug");
  fs::create_directories(link.parent_path());
  fs::create_symlink(fs::path("../..") / file.filename(), link);
}

nlohmann::json sample_manifest() {
  return {{"version", "2.6.0+cpu"},
          {"backend", "cpu"},
          {"backend_kind", "cpu"},
          {"product", "libtorch"},
          {"linkage", "shared"},
          {"deps", "with-deps"},
          {"cxx11_abi", true},
          {"platform", {{"glibc", "2.99"}, {"glibcxx", "3.4.99"}, {"cxxabi", "1.3.99"}}},
          {"features", {{"OPENMP", {{"enabled", true}}}}},
          {"bundled", {{{"file", "libgomp.so.1"}}, {{"file", "libhelper.so.1"}}}}};
}

namespace {

/// What shared and static packages have in common.
void write_other_files(const fs::path& root, const nlohmann::json& manifest) {
  write_file(root / "build-version", "2.6.0+cpu\n");
  write_file(root / "manifest.json", manifest.dump(2));
  write_file(root / "include/torch/csrc/api/include/torch/version.h", kVersionHeader);
  write_file(root / "share/cmake/Torch/TorchConfigVersion.cmake", kTorchConfigVersion);
}

void make_archive(const fs::path& archive, const std::string& source,
                  const std::vector<std::string>& flags = {}) {
  const fs::path object = archive.string() + ".o";
  std::vector<std::string> all{"-c", "-fPIC"};
  all.insert(all.end(), flags.begin(), flags.end());
  compile(source, object, all);
  must_run({"ar", "rcs", archive.string(), object.string()});
  fs::remove(object);
}

}  // namespace

fs::path make_sample_package(const fs::path& folder) {
  const fs::path root = folder / "libtorch";
  fs::create_directories(root / "lib");
  fs::create_directories(root / "bin");
  compile_libraries(root);
  for (const char* name : {"libc10.so", "libtorch_cpu.so"}) {
    split_debug_information(root / "lib" / name, folder / "debug");
  }
  write_other_files(root, sample_manifest());
  write_file(root / "share/cmake/Torch/TorchConfig.cmake", kTorchConfig);
  return root;
}

fs::path make_static_sample_package(const fs::path& folder) {
  const fs::path root = folder / "libtorch";
  fs::create_directories(root / "lib");
  make_archive(root / "lib/libc10.a", kC10Source);
  make_archive(root / "lib/libtorch_cpu.a", kCpuSource, {"-fopenmp"});
  make_archive(root / "lib/libothers.a", "extern \"C\" int helper() { return 1; }\n");
  nlohmann::json manifest = sample_manifest();
  manifest["linkage"] = "static";
  manifest["bundled"] = nlohmann::json::array();
  write_other_files(root, manifest);
  write_file(root / "share/cmake/Torch/TorchConfig.cmake", kStaticTorchConfig);
  return root;
}

}  // namespace torchpkg::test
