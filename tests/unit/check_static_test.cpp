// SPDX-License-Identifier: BSD-3-Clause
// A static package: the good one passes, and each test breaks one thing.
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

  [[nodiscard]] fs::path archive_of(const std::string& name) const { return root() / "lib" / name; }

  /// Compiles a source and puts the object into an archive, new or there.
  void add_object(const std::string& name, const std::string& source, Names flags = {}) const {
    flags.insert(flags.end(), {"-c", "-fPIC"});
    compile(source, folder_ / "more.o", flags);
    must_run({"ar", "rs", archive_of(name).string(), (folder_ / "more.o").string()});
  }

  void change_config(const std::string& from, const std::string& to) const {
    const fs::path file = root() / "share/cmake/Torch/TorchConfig.cmake";
    std::string text = file_content(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    write_file(file, text.replace(at, from.size(), to));
  }
};

TEST_F(CheckStatic, TheGoodPackagePassesEverything) {
  EXPECT_EQ(failed_when_packed(), Names{}) << report_.dump(2);
  for (const char* row : {"static-libraries", "undefined-symbols", "cxx-abi", "openmp",
                          "cpu-features", "contents", "python-free"}) {
    EXPECT_EQ(verdict(row), "pass") << row;
  }
  EXPECT_EQ(verdict("closure"), "not applicable");
  EXPECT_EQ(found("cpu-features"), "inside: BLAS, LAPACK, OpenBLAS, oneDNN");
  EXPECT_EQ(found("openmp"), "that of the user's compiler, through the CMake package");
}

TEST_F(CheckStatic, ASharedLibtorchInside) {
  compile_shared("int x;\n", archive_of("libtorch.so"));
  expect_fault("contents", "lib/libtorch.so is a shared library in a static package");
}

TEST_F(CheckStatic, AMissingLibrary) {
  fs::remove(archive_of("libc10.a"));
  EXPECT_EQ(failed(root()), (Names{"undefined-symbols", "static-libraries"}));
  EXPECT_EQ(first_detail("static-libraries"), "lib/libc10.a is missing");
}

TEST_F(CheckStatic, ASymbolThatNoLibraryHas) {
  add_object("libothers.a", "namespace onnx { void gone(); }\nvoid call() { onnx::gone(); }\n");
  expect_fault("undefined-symbols",
               "lib/libothers.a asks for _ZN4onnx4goneEv, which no library inside has");
  change_manifest([](Json& manifest) { manifest["deps"] = "without-deps"; });
  EXPECT_EQ(failed(root()), Names{}) << "the host may have it";
}

TEST_F(CheckStatic, AnExecutableStack) {
  // Assembly that says nothing of the stack.
  write_file(folder_ / "mark.s", ".globl mark\nmark: ret\n");
  must_run({"as", "-o", (folder_ / "mark.o").string(), (folder_ / "mark.s").string()});
  must_run({"ar", "rs", archive_of("libothers.a").string(), (folder_ / "mark.o").string()});
  expect_fault("loading",
               "lib/libothers.a(mark.o) makes the stack of every program that has it executable");
}

TEST_F(CheckStatic, AThinArchive) {
  fs::remove(archive_of("libothers.a"));
  compile("extern \"C\" int helper() { return 1; }\n", folder_ / "thin.o", {"-c", "-fPIC"});
  must_run({"ar", "rcsT", archive_of("libothers.a").string(), (folder_ / "thin.o").string()});
  change_manifest([](Json& manifest) {
    manifest["features"] = {{"MKLDNN", {{"enabled", false}}},
                            {"BLAS", {{"enabled", false}}},
                            {"LAPACK", {{"enabled", false}}}};
    manifest["packages"].erase(2);
  });
  expect_fault("static-libraries", "lib/libothers.a is a thin archive: its objects are not inside");
}

TEST_F(CheckStatic, ALibraryWithoutIndex) {
  must_run({"strip", "--strip-unneeded", archive_of("libothers.a").string()});
  EXPECT_EQ(failed(root()), Names{}) << "the linker still finds the symbols";
  compile("int more() { return 1; }\n", folder_ / "more.o", {"-c"});
  fs::remove(archive_of("libc10.a"));
  must_run({"ar", "rcS", archive_of("libc10.a").string(), (folder_ / "more.o").string()});
  failed(root());
  EXPECT_TRUE(begins_with(first_detail("static-libraries"), "lib/libc10.a has no index"));
}

TEST_F(CheckStatic, AMemberThatIsNoObject) {
  write_file(folder_ / "note.txt", "not an object\n");
  must_run({"ar", "rs", archive_of("libothers.a").string(), (folder_ / "note.txt").string()});
  expect_fault("static-libraries", "lib/libothers.a(note.txt) is not an ELF object");
}

TEST_F(CheckStatic, ALibraryThatNobodyIsToldToLink) {
  add_object("libforgotten.a", "int forgotten() { return 1; }\n");
  expect_fault("static-libraries",
               "lib/libforgotten.a is named in no CMake file: nobody would link it");
}

TEST_F(CheckStatic, NoWholeArchive) {
  change_config("-Wl,--whole-archive ", "");
  change_config("-Wl,--no-whole-archive", "");
  EXPECT_EQ(failed(root()), Names{"static-libraries"});
}

TEST_F(CheckStatic, TheOldAbi) {
  add_object("libc10.a", "#include <string>\nnamespace c10 { void old(const std::string&) {} }\n",
             {"-D_GLIBCXX_USE_CXX11_ABI=0"});
  EXPECT_EQ(failed(root()), Names{"cxx-abi"});
}

TEST_F(CheckStatic, AnOpenMpRuntimeLinkedIn) {
  add_object("libothers.a",
             "extern \"C\" void GOMP_parallel() {}\nextern \"C\" void __kmpc_fork_call() {}\n");
  EXPECT_EQ(failed(root()), Names{}) << "one, that of the package: " << found("openmp");
  compile_shared("extern \"C\" int omp() { return 1; }\n", archive_of("libomp.so.5"));
  list_as_bundled("libomp.so.5");
  EXPECT_EQ(failed(root()), Names{"openmp"});
}

TEST_F(CheckStatic, ADamagedLibrary) {
  fs::resize_file(archive_of("libtorch_cpu.a"), fs::file_size(archive_of("libtorch_cpu.a")) - 100);
  const Names rows = failed(root());
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0], "elf-files");
  EXPECT_TRUE(begins_with(first_detail("elf-files"),
                          "lib/libtorch_cpu.a is a damaged static library: byte "));
}

}  // namespace
}  // namespace torchpkg::test
