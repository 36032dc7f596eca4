// SPDX-License-Identifier: BSD-3-Clause
// Comparing a package with a reference.
#include <gtest/gtest.h>

#include "check_fixture.h"
#include "parity/inventory.h"

namespace torchpkg::test {
namespace {

class Against : public SharedCheckTest {
 protected:
  void SetUp() override {
    SharedCheckTest::SetUp();
    fs::copy(root(), reference(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }

  [[nodiscard]] fs::path reference() const { return folder_ / "reference"; }

  Names compare(const Names& options = {}) {
    Names all{"--against", reference().string()};
    all.insert(all.end(), options.begin(), options.end());
    return failed(root(), all);
  }

  [[nodiscard]] const Json& against() const { return report_.at("against"); }

  static void make_library(const fs::path& file, const std::string& source,
                           const std::string& soname, Names flags = {}) {
    flags.insert(flags.end(), {"-shared", "-fPIC", "-Wl,-soname," + soname, "-Wl,-rpath,$ORIGIN",
                               "-Wl,--disable-new-dtags"});
    compile(source, file, flags);
  }
};

TEST_F(Against, TheSamePackage) {
  EXPECT_EQ(compare({"--fail-on", "missing-files,missing-symbols,soname,larger=0"}), Names{});
  for (const char* row : {"parity-files", "parity-symbols", "parity-sonames", "parity-sizes"}) {
    EXPECT_EQ(verdict(row), "pass") << row;
  }
  EXPECT_EQ(verdict("parity"), "no such row");
  for (const auto& kind : against()["files"].items()) {
    EXPECT_EQ(kind.value()["only_here"], Json::array()) << kind.key();
    EXPECT_EQ(kind.value()["only_there"], Json::array()) << kind.key();
  }
  EXPECT_GT(against()["libraries"]["libtorch_cpu.so"]["symbols"]["both"], 0);
  EXPECT_GT(against()["libraries"]["libtorch_cpu.so"]["sections"][".text"]["here"], 0);
}

TEST_F(Against, FilesAreReportedAndFailWhenAskedTo) {
  write_file(reference() / "include/ATen/Gone.h", "//\n");
  write_file(root() / "include/ATen/New.h", "//\n");
  EXPECT_EQ(compare(), Names{});
  EXPECT_EQ(against()["files"]["header"]["only_there"], Json::array({"ATen/Gone.h"}));
  EXPECT_EQ(against()["files"]["header"]["only_here"], Json::array({"ATen/New.h"}));
  EXPECT_EQ(against()["files"]["header"]["different"], Json::array());
  EXPECT_EQ(compare({"--fail-on", "missing-libraries"}), Names{});
  EXPECT_EQ(compare({"--fail-on", "missing-headers"}), Names{"parity-files"});
  EXPECT_EQ(first_detail("parity-files"), "the header ATen/Gone.h is missing");
  EXPECT_EQ(compare({"--fail-on", "missing-files"}), Names{"parity-files"});
}

TEST_F(Against, SymbolsByLibrary) {
  make_library(reference() / "lib/libtorch.so",
               "namespace at { void gone() {} void kept() {} void moved() {} }\n"
               "namespace gloo { void gone() {} }\n",
               "libtorch.so");
  make_library(root() / "lib/libtorch.so", "namespace at { void kept() {} void added() {} }\n",
               "libtorch.so");
  make_library(root() / "lib/libtorch_more.so", "namespace at { void moved() {} }\n",
               "libtorch_more.so");
  EXPECT_EQ(compare(), Names{});
  const Json& symbols = against()["libraries"]["libtorch.so"]["symbols"];
  EXPECT_EQ(symbols["both"], 1);
  EXPECT_EQ(symbols["added"], Json::array({"_ZN2at5addedEv"}));
  EXPECT_EQ(symbols["moved"], Json::array({"_ZN2at5movedEv"}));
  EXPECT_EQ(symbols["missing"], Json::array({"_ZN2at4goneEv", "_ZN4gloo4goneEv"}));
  EXPECT_EQ(symbols["missing_api"], 1);
  EXPECT_EQ(compare({"--fail-on", "missing-symbols"}), Names{"parity-symbols"});
  EXPECT_EQ(first_detail("parity-symbols"), "libtorch.so lacks _ZN2at4goneEv");
  for (const Json& row : report_["checks"]) {
    if (row["name"] != "parity-symbols") continue;
    EXPECT_EQ(row["details"].size(), 1U) << "what is not libtorch's own does not fail";
  }
}

TEST_F(Against, SonamesAndSizes) {
  make_library(reference() / "lib/libtorch.so", "int x;\n", "libtorch.so.2");
  make_library(root() / "lib/libtorch.so", "char x[200000] = {1};\n", "libtorch.so");
  EXPECT_EQ(compare({"--fail-on", "larger=100000"}), Names{});
  EXPECT_EQ(compare({"--fail-on", "soname", "--fail-on", "larger=50"}),
            (Names{"parity-sonames", "parity-sizes"}));
  EXPECT_EQ(first_detail("parity-sonames"),
            "lib/libtorch.so has the SONAME libtorch.so, there libtorch.so.2");
  EXPECT_EQ(first_detail("parity-sizes").rfind("libtorch.so: ", 0), 0U);
}

TEST_F(Against, ADistributionsTree) {
  const fs::path tree = folder_ / "tree";
  const fs::path lib = tree / "usr/lib/x86_64-linux-gnu";
  make_library(lib / "libtorch.so.2.6.0", "namespace at { void gone() {} }\n", "libtorch.so.2.6");
  fs::create_symlink("libtorch.so.2.6.0", lib / "libtorch.so");
  make_library(lib / "libxcb.so.1.1", "int x;\n", "libxcb.so.1");
  make_library(lib / "libgomp.so.1.0.0", "int x;\n", "libgomp.so.1");
  write_file(tree / "usr/include/torch/csrc/api/include/torch/version.h", "//\n");
  write_file(tree / "usr/include/torch/only.h", "//\n");
  write_file(tree / "usr/include/X11/X.h", "//\n");
  write_file(lib / "cmake/Torch/TorchConfig.cmake", "\n");
  write_file(lib / "cmake/Qt/QtConfig.cmake", "\n");
  make_library(root() / "lib/libtorch.so", "namespace at { void here() {} }\n", "libtorch.so");
  EXPECT_EQ(failed(root(), {"--against", tree.string()}), Names{});
  EXPECT_TRUE(against()["distribution"]);
  EXPECT_EQ(against()["left_out"], 3) << against().dump(2);
  EXPECT_EQ(against()["files"]["header"]["both"], 1);
  EXPECT_EQ(against()["files"]["header"]["only_there"], Json::array({"torch/only.h"}));
  EXPECT_EQ(against()["files"]["CMake file"]["both"], 1);
  EXPECT_EQ(against()["libraries"]["libtorch.so"]["path"]["there"],
            "usr/lib/x86_64-linux-gnu/libtorch.so.2.6.0");
  EXPECT_EQ(against()["libraries"]["libtorch.so"]["symbols"]["missing"],
            Json::array({"_ZN2at4goneEv"}));
  EXPECT_EQ(against()["libraries"].count("libgomp.so"), 1U);
}

TEST_F(Against, AZipAgainstAZip) {
  pack();
  EXPECT_EQ(failed(archive(), {"--against", archive().string(), "--fail-on",
                               "missing-files,missing-symbols,soname,larger=0"}),
            Names{});
}

TEST_F(Against, WrongUseAndBadInput) {
  const auto run = [this](Names options) {
    options.insert(options.begin(), {"check", root().string()});
    return torchpkg(options);
  };
  EXPECT_EQ(run({"--fail-on", "soname"}).exit_code, 2);
  const CommandResult word =
      run({"--against", reference().string(), "--fail-on", "missing-everything"});
  EXPECT_EQ(word.exit_code, 2);
  EXPECT_EQ(word.output.rfind("torchpkg: --fail-on does not know missing-everything\nremedy: ", 0),
            0U)
      << word.output;
  EXPECT_EQ(run({"--against", reference().string(), "--fail-on", "larger=much"}).exit_code, 2);
  EXPECT_EQ(run({"--against", (folder_ / "nowhere").string()}).exit_code, 4);
  write_file(folder_ / "text", "hello");
  EXPECT_EQ(run({"--against", (folder_ / "text").string()}).exit_code, 3);
  write_file(folder_ / "other/usr/bin/true", "");
  EXPECT_EQ(run({"--against", (folder_ / "other").string()}).exit_code, 3);
  pack();
  fs::resize_file(archive(), fs::file_size(archive()) - 10);
  const CommandResult cut = run({"--against", archive().string()});
  EXPECT_EQ(cut.exit_code, 3);
  EXPECT_NE(cut.output.find("package.zip: byte "), std::string::npos) << cut.output;
}

TEST_F(Against, ADamagedPackageIsNotCompared) {
  fs::copy(root() / "lib/libc10.so", root() / "lib/libtorch_broken.so");
  fs::resize_file(root() / "lib/libtorch_broken.so", 500);
  EXPECT_EQ(compare(), Names{"elf-files"});
  EXPECT_EQ(found("parity"), "the package is damaged");
  const CommandResult other =
      torchpkg({"check", reference().string(), "--against", root().string()});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_EQ(
      other.output.rfind("torchpkg: " + root().string() + ": lib/libtorch_broken.so is a ", 0), 0U)
      << other.output;
}

TEST_F(Against, RolesOfFiles) {
  const auto is = [](const char* path, FileKind kind, const char* role) {
    const FileKey key = key_of(path);
    EXPECT_EQ(name_of(key.first), std::string(name_of(kind))) << path;
    EXPECT_EQ(key.second, role) << path;
  };
  is("lib/libc10.so", FileKind::kLibrary, "libc10.so");
  is("usr/lib/x86_64-linux-gnu/libc10.so.2.6.0", FileKind::kLibrary, "libc10.so");
  is("lib/libgomp-a34b3233.so.1.0.0", FileKind::kLibrary, "libgomp.so");
  is("lib/libc10.a", FileKind::kStaticLibrary, "libc10.a");
  is("usr/include/x86_64-linux-gnu/c10/a.h", FileKind::kHeader, "c10/a.h");
  is("include/torch/csrc/api/include/torch/all.h", FileKind::kHeader,
     "torch/csrc/api/include/torch/all.h");
  is("share/cmake/Torch/TorchConfig.cmake", FileKind::kCMake, "Torch/TorchConfig.cmake");
  is("bin/protoc", FileKind::kProgram, "protoc");
  is("share/licenses/mkl/LICENSE", FileKind::kLicence, "mkl/LICENSE");
  is("build-version", FileKind::kOther, "build-version");
  is("_C.cpython-311-x86_64-linux-gnu.so", FileKind::kModule, "torch/_C.so");
  is("../functorch/_C.abi3.so", FileKind::kModule, "functorch/_C.so");
  is("../torch.libs/libgomp-98df74fd.so.1.0.0", FileKind::kLibrary, "libgomp.so");
  is("optim/adam.pyi", FileKind::kPython, "torch/optim/adam.pyi");
  is("../torch-2.6.0+cpu.dist-info/licenses/mkl/LICENSE", FileKind::kLicence, "mkl/LICENSE");
  is("../torch-2.6.0.dist-info/LICENSE", FileKind::kLicence, "LICENSE");
  is("../torch-2.6.0.dist-info/WHEEL", FileKind::kOther, "*.dist-info/WHEEL");
}

}  // namespace
}  // namespace torchpkg::test
