// SPDX-License-Identifier: BSD-3-Clause
// A static package: the good one passes, and each line breaks one thing.
#include <gtest/gtest.h>

#include "check_fixture.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

class CheckStatic : public CheckTest {
 protected:
  void SetUp() override {
    static const TemporaryFolder good;
    static const fs::path package = make_static_sample_package(good.path());
    use(package);
  }

  /// Puts a file of `folder_` into a static library.
  Change add(const std::string& flags, const std::string& file, const std::string& archive) const {
    return run_on(archive,
                  {"sh", "-c", "ar " + flags + " \"$1\" \"$0\"", (folder_ / file).string()});
  }
  Change put_object(const std::string& archive, const std::string& source, Names flags = {}) const {
    flags.insert(flags.end(), {"-c", "-fPIC"});
    return [=, this](const fs::path& root) {
      compile(source, folder_ / "more.o", flags);
      add("rs", "more.o", archive)(root);
    };
  }
};

TEST_F(CheckStatic, FindsWhatIsBroken) {
  const std::string others = "lib/libothers.a";
  const std::string config = "share/cmake/Torch/TorchConfig.cmake";
  const Change ask =
      put_object(others, "namespace onnx { void gone(); }\nvoid call() { onnx::gone(); }\n");
  const Change omp_inside = put_object(
      others, "extern \"C\" void GOMP_parallel() {}\nextern \"C\" void __kmpc_fork_call() {}\n");
  const Change cut = [](const fs::path& root) {
    fs::resize_file(root / "lib/libothers.a", fs::file_size(root / "lib/libothers.a") - 100);
  };
  // Assembly that says nothing of the stack.
  write_file(folder_ / "mark.s", ".globl mark\nmark: ret\n");
  must_run({"as", "-o", (folder_ / "mark.o").string(), (folder_ / "mark.s").string()});
  write_file(folder_ / "note.txt", "not an object\n");
  compile("extern \"C\" int helper() { return 1; }\n", folder_ / "one.o", {"-c", "-fPIC"});

  EXPECT_EQ(failed(), "") << report_.dump(2);
  EXPECT_EQ(row("openmp")["found"], "that of the user's compiler, through the CMake package");
  broken("a shared libtorch", {put_library("lib/libtorch.so", "int x;\n")}, "contents",
         "lib/libtorch.so is a shared library in a static package");
  broken("a missing library", {drop("lib/libc10.a")}, "undefined-symbols static-libraries",
         "lib/libc10.a is missing");
  broken("a damaged library", {cut}, "elf-files",
         "lib/libothers.a is a damaged static library: byte *");
  broken("a symbol that no library has", {ask}, "undefined-symbols",
         "lib/libothers.a asks for _ZN4onnx4goneEv, which no library inside has");
  good("one that the host may have", {ask, set("/deps", "without-deps")});
  broken("an executable stack", {add("rs", "mark.o", others)}, "platform",
         "lib/libothers.a(mark.o) makes the stack of every program that has it executable");
  broken("a thin archive", {drop(others), add("rcsT", "one.o", others)}, "static-libraries",
         "lib/libothers.a is a thin archive: its objects are not inside");
  broken("no index", {drop(others), add("rcS", "one.o", others)}, "static-libraries",
         "lib/libothers.a has no index*");
  broken("a member that is not an object", {add("rs", "note.txt", others)}, "static-libraries",
         "lib/libothers.a(note.txt) is not an ELF object");
  broken("a library that nobody links",
         {put_object("lib/libforgotten.a", "int forgotten() { return 1; }\n")}, "static-libraries",
         "lib/libforgotten.a is named in no CMake file: nobody would link it");
  broken(
      "no -Wl,--whole-archive",
      {replace(config, "-Wl,--whole-archive ", ""), replace(config, "-Wl,--no-whole-archive", "")},
      "static-libraries");
  broken("the old ABI",
         {put_object("lib/libc10.a",
                     "#include <string>\nnamespace c10 { void old(const std::string&) {} }\n",
                     {"-D_GLIBCXX_USE_CXX11_ABI=0"})},
         "cxx-abi");
  good("an OpenMP runtime, that of the package", {omp_inside});
  broken("two OpenMP runtimes",
         {omp_inside, put_library("lib/libomp.so.5", "extern \"C\" int omp() { return 1; }\n")},
         "openmp");
  broken("debug information", {put_object("lib/libc10.a", "int more() { return 1; }\n", {"-g1"})},
         "debug-information", "lib/libc10.a has * bytes of debug information inside");
}

}  // namespace
}  // namespace torchpkg::test
