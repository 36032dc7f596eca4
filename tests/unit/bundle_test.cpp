// SPDX-License-Identifier: BSD-3-Clause
#include "bundle/bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/file.h"
#include "common/sha256.h"
#include "elf/elf_image.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Names = std::vector<std::string>;

DynamicInfo dynamic_of(const fs::path& file) {
  const MappedFile mapped(file);
  return ElfImage(mapped.bytes(), file.string()).dynamic();
}

/// A stage whose lib/libmain.so needs liba.so.1, which needs libb.so.2; and libgomp.so.1. A
/// plug-in in lib/plugins and a program in bin need libmain.so.
class Bundle : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root() / "lib/plugins");
    fs::create_directories(root() / "bin");
    fs::create_directories(deps());
    compile("extern \"C\" int b() { return 1; }\n", deps() / "libb.so.2.0",
            {"-shared", "-fPIC", "-Wl,-soname,libb.so.2"});
    fs::create_symlink("libb.so.2.0", deps() / "libb.so.2");
    compile("extern \"C\" int b(); extern \"C\" int a() { return b(); }\n", deps() / "liba.so.1",
            {"-shared", "-fPIC", "-Wl,-soname,liba.so.1", (deps() / "libb.so.2").string()});
    compile(
        "extern \"C\" int a(); extern \"C\" int run() { int n = 0;\n#pragma omp parallel "
        "reduction(+ : n)\nn += a(); return n > 0 ? 0 : 1; }\n",
        root() / "lib/libmain.so",
        {"-shared", "-fPIC", "-fopenmp", "-Wl,-soname,libmain.so", (deps() / "liba.so.1").string(),
         "-Wl,-rpath-link," + deps().string(), "-Wl,-rpath,/build/lib"});
    const std::string lib = "-L" + (root() / "lib").string();
    compile("extern \"C\" int run(); extern \"C\" int plugin() { return run(); }\n",
            root() / "lib/plugins/plugin.so", {"-shared", "-fPIC", lib, "-lmain"});
    compile("extern \"C\" int run(); int main() { return run(); }\n", root() / "bin/program",
            {lib, "-lmain", "-Wl,-rpath-link," + deps().string()});
    options_.root = root();
    options_.search = {folder_ / "nowhere", deps()};
    options_.report = folder_ / "bundled.json";
  }

  [[nodiscard]] fs::path root() const { return folder_ / "stage"; }
  [[nodiscard]] fs::path deps() const { return folder_ / "deps"; }

  /// The one file in lib/ that begins so.
  [[nodiscard]] std::string file_in_lib(const std::string& begin) const {
    for (const auto& entry : fs::directory_iterator(root() / "lib")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begin)) return name;
    }
    return {};
  }

  TemporaryFolder folder_;
  BundleOptions options_;
};

TEST_F(Bundle, CopiesWhatIsNeededAndItRunsFromAnywhere) {
  bundle(options_);
  for (const char* name : {"liba.so.1", "libb.so.2", "libgomp.so.1"}) {
    EXPECT_TRUE(fs::is_regular_file(root() / "lib" / name)) << name;
  }
  EXPECT_FALSE(fs::exists(root() / "lib/libc.so.6"));
  fs::rename(root(), folder_ / "elsewhere");
  fs::remove_all(deps());
  EXPECT_EQ(run_command({"env", "-i", (folder_ / "elsewhere/bin/program").string()}).exit_code, 0);
}

TEST_F(Bundle, EveryRpathIsRelativeAndNoRunpathIsLeft) {
  bundle(options_);
  EXPECT_EQ(dynamic_of(root() / "lib/libmain.so").rpath, "$ORIGIN");
  EXPECT_EQ(dynamic_of(root() / "lib/liba.so.1").rpath, "$ORIGIN");
  EXPECT_EQ(dynamic_of(root() / "lib/plugins/plugin.so").rpath, "$ORIGIN:$ORIGIN/..");
  EXPECT_EQ(dynamic_of(root() / "bin/program").rpath, "$ORIGIN/../lib");
  for (const char* name : {"lib/libmain.so", "lib/liba.so.1", "bin/program"}) {
    EXPECT_FALSE(dynamic_of(root() / name).runpath.has_value()) << name;
  }
}

TEST_F(Bundle, TheLibrariesMayLieDeeper) {
  fs::create_directories(root() / "torch");
  fs::create_directories(root() / "other");
  fs::rename(root() / "lib", root() / "torch/lib");
  compile("extern \"C\" int run(); extern \"C\" int extension() { return run(); }\n",
          root() / "torch/_C.so",
          {"-shared", "-fPIC", "-L" + (root() / "torch/lib").string(), "-lmain"});
  fs::copy_file(root() / "torch/_C.so", root() / "other/_C.so");
  options_.lib = "torch/lib";
  bundle(options_);
  EXPECT_TRUE(fs::exists(root() / "torch/lib/liba.so.1"));
  EXPECT_FALSE(fs::exists(root() / "lib"));
  EXPECT_EQ(dynamic_of(root() / "torch/_C.so").rpath, "$ORIGIN/lib");
  EXPECT_EQ(dynamic_of(root() / "other/_C.so").rpath, "$ORIGIN/../torch/lib");
  EXPECT_EQ(dynamic_of(root() / "torch/lib/libmain.so").rpath, "$ORIGIN");
  EXPECT_EQ(dynamic_of(root() / "torch/lib/plugins/plugin.so").rpath, "$ORIGIN:$ORIGIN/..");
  EXPECT_EQ(dynamic_of(root() / "bin/program").rpath, "$ORIGIN/../torch/lib");
}

TEST_F(Bundle, RenamedLibrariesAgreeInFileNameSonameAndNeeded) {
  options_.rename = true;
  const std::string hash = sha256_of_file(deps() / "libb.so.2").substr(0, 8);
  bundle(options_);
  const std::string a = file_in_lib("liba-");
  const std::string b = "libb-" + hash + ".so.2";
  EXPECT_TRUE(fs::exists(root() / "lib" / b));
  EXPECT_EQ(dynamic_of(root() / "lib" / b).soname, b);
  EXPECT_EQ(dynamic_of(root() / "lib" / a).soname, a);
  EXPECT_EQ(dynamic_of(root() / "lib" / a).needed.at(0), b);
  const Names needed = dynamic_of(root() / "lib/libmain.so").needed;
  EXPECT_NE(std::find(needed.begin(), needed.end(), a), needed.end());
  // A renamed OpenMP runtime would be a second one in the process.
  EXPECT_EQ(file_in_lib("libgomp"), "libgomp.so.1");
  EXPECT_EQ(dynamic_of(root() / "lib/libgomp.so.1").soname, "libgomp.so.1");
  fs::remove_all(deps());
  EXPECT_EQ(run_command({"env", "-i", (root() / "bin/program").string()}).exit_code, 0);
}

TEST_F(Bundle, LibrariesGetAVersion) {
  options_.soname_version = "2.6";
  bundle(options_);
  const fs::path library = root() / "lib/libmain.so";
  EXPECT_EQ(fs::read_symlink(library), "libmain.so.2.6");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(root() / "lib/libmain.so.2.6")));
  EXPECT_EQ(dynamic_of(library).soname, "libmain.so.2.6");
  const Names needed = dynamic_of(root() / "bin/program").needed;
  EXPECT_NE(std::find(needed.begin(), needed.end(), "libmain.so.2.6"), needed.end());
  EXPECT_EQ(dynamic_of(root() / "lib/plugins/plugin.so").needed.at(0), "libmain.so.2.6");
  EXPECT_EQ(dynamic_of(root() / "lib/liba.so.1").soname, "liba.so.1") << "it had one";
  EXPECT_EQ(run_command({"env", "-i", (root() / "bin/program").string()}).exit_code, 0);
  const auto before = snapshot(folder_.path());
  bundle(options_);
  EXPECT_TRUE(before == snapshot(folder_.path()));
}

TEST_F(Bundle, AVersionIsGivenToTheEndAfterAKill) {
  // Renamed, and nothing else yet.
  fs::rename(root() / "lib/libmain.so", root() / "lib/libmain.so.2.6");
  fs::create_symlink("libmain.so.2.6", root() / "lib/libmain.so");
  options_.soname_version = "2.6";
  bundle(options_);
  EXPECT_EQ(dynamic_of(root() / "lib/libmain.so.2.6").soname, "libmain.so.2.6");
  EXPECT_EQ(dynamic_of(root() / "lib/plugins/plugin.so").needed.at(0), "libmain.so.2.6");
}

TEST_F(Bundle, NeedsOfLibrariesOutsideCountAndTheyStayAsTheyAre) {
  // A stage of static libraries; the shared ones of the same objects lie elsewhere.
  const fs::path shared = folder_ / "shared";
  fs::rename(root(), shared);
  fs::create_directories(root() / "lib");
  write_file(root() / "lib/libmain.a", "");
  compile("extern \"C\" int run(); extern \"C\" int more() { return run(); }\n",
          shared / "lib/libmore.so",
          {"-shared", "-fPIC", "-L" + (shared / "lib").string(), "-lmain"});
  options_.needed_by = {shared / "lib/libmain.so", shared / "lib/libmore.so"};
  const std::string before = sha256_of_file(shared / "lib/libmain.so");
  bundle(options_);
  Names files;
  for (const auto& entry : fs::directory_iterator(root() / "lib")) {
    files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (Names{"liba.so.1", "libb.so.2", "libgomp.so.1", "libmain.a"}));
  EXPECT_EQ(dynamic_of(root() / "lib/liba.so.1").rpath, "$ORIGIN");
  EXPECT_EQ(sha256_of_file(shared / "lib/libmain.so"), before);
}

TEST_F(Bundle, WhatIsNoLibraryNeedsNothing) {
  const fs::path text = folder_ / "libtext.so";
  write_file(text, "INPUT(libmain.so)\n");
  const CommandResult result =
      torchpkg({"bundle", "--root", root().string(), "--needed-by", text.string()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_NE(result.output.find(text.string() + " is not a shared library"), std::string::npos);
}

TEST_F(Bundle, ASecondRunChangesNothing) {
  options_.rename = true;
  bundle(options_);
  const auto before = snapshot(folder_.path());
  const fs::file_time_type time = fs::last_write_time(root() / "lib/libmain.so");
  bundle(options_);
  EXPECT_TRUE(before == snapshot(folder_.path()));
  EXPECT_EQ(fs::last_write_time(root() / "lib/libmain.so"), time);
}

TEST_F(Bundle, WhatAKilledRunLeftIsRemoved) {
  write_file(root() / "lib/libmain.so.partial-999999999", "half of it");
  bundle(options_);
  EXPECT_FALSE(fs::exists(root() / "lib/libmain.so.partial-999999999"));
}

TEST_F(Bundle, TheReportTellsWhatWasCopied) {
  options_.rename = true;
  const std::string hash = sha256_of_file(deps() / "libb.so.2");
  bundle(options_);
  const auto report = nlohmann::json::parse(file_content(options_.report));
  EXPECT_EQ(report["schema"], 1);
  ASSERT_EQ(report["bundled"].size(), 3U);
  const auto& b = report["bundled"][1];
  EXPECT_EQ(b["name"], "libb.so.2");
  EXPECT_EQ(b["from"], "libb.so.2.0");
  EXPECT_EQ(b["sha256"], hash);
  EXPECT_EQ(b["file"], "libb-" + hash.substr(0, 8) + ".so.2");
}

TEST_F(Bundle, ALibraryThatIsNotFoundIsNamedWithWhoNeedsIt) {
  fs::remove(deps() / "libb.so.2");
  const CommandResult result =
      torchpkg({"bundle", "--root", root().string(), "--search", "/nowhere;" + deps().string()});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.output.rfind(
                "torchpkg: libb.so.2 is needed by lib/liba.so.1 and was not found\nremedy: ", 0),
            0U)
      << result.output;
}

TEST_F(Bundle, TheAllowListKeepsLibrariesOutside) {
  write_file(folder_ / "allow", "# the host has these\nlibc.so.6\nlibgomp*  # OpenMP\nliba.so.?\n");
  options_.allowed = AllowList::from_file(folder_ / "allow");
  bundle(options_);
  EXPECT_EQ(file_in_lib("libgomp"), "");
  EXPECT_EQ(file_in_lib("liba"), "");
}

TEST_F(Bundle, RpathOnlyCopiesNothing) {
  options_.rpath_only = true;
  EXPECT_TRUE(bundle(options_).empty());
  EXPECT_EQ(file_in_lib("liba"), "");
  EXPECT_EQ(dynamic_of(root() / "lib/libmain.so").rpath, "$ORIGIN");
}

/// With what NVIDIA's are called like: libcudnn.so.9 is needed, its part is opened by name.
class BundleOfCuda : public Bundle {
 protected:
  void SetUp() override {
    Bundle::SetUp();
    for (const char* name : {"libcudnn.so.9", "libcudnn_ops.so.9"}) {
      compile("extern \"C\" int cudnn() { return 1; }\n", deps() / name,
              {"-shared", "-fPIC", std::string("-Wl,-soname,") + name, "-Wl,-rpath,$ORIGIN/../x"});
    }
    compile("extern \"C\" int cudnn(); extern \"C\" int conv() { return cudnn(); }\n",
            root() / "lib/libtorch_cuda.so",
            {"-shared", "-fPIC", (deps() / "libcudnn.so.9").string()});
    options_.rename = true;
    options_.also = {"libcudnn_ops.so.9"};
  }
};

TEST_F(BundleOfCuda, LibrariesThatOpenEachOtherKeepTheirNames) {
  bundle(options_);
  EXPECT_EQ(file_in_lib("liba").substr(0, 5), "liba-");
  for (const char* name : {"libcudnn.so.9", "libcudnn_ops.so.9"}) {
    const DynamicInfo dynamic = dynamic_of(root() / "lib" / name);
    EXPECT_EQ(dynamic.soname, name);
    EXPECT_EQ(dynamic.rpath, "$ORIGIN");
    EXPECT_FALSE(dynamic.runpath);
  }
  const auto report = nlohmann::json::parse(file_content(options_.report));
  EXPECT_FALSE(report.contains("elsewhere"));
  EXPECT_TRUE(bundle(options_).size() >= 5) << "a second run forgets nothing";
}

TEST_F(BundleOfCuda, WhatAnotherPackageHasIsReachedThere) {
  options_.elsewhere = {{"libcudnn.so.*", "../nvidia/cudnn/lib"},
                        {"libcudnn_*.so.*", "../nvidia/cudnn/lib"}};
  bundle(options_);
  EXPECT_EQ(file_in_lib("libcudnn"), "");
  EXPECT_EQ(dynamic_of(root() / "lib/libtorch_cuda.so").rpath,
            "$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN");
  EXPECT_EQ(dynamic_of(root() / "bin/program").rpath,
            "$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN/../lib");
  const auto report = nlohmann::json::parse(file_content(options_.report));
  EXPECT_EQ(report["host_libraries"], nlohmann::json::array());
  EXPECT_EQ(report["elsewhere"], (Names{"libcudnn.so.9", "libcudnn_ops.so.9"}));
}

TEST_F(BundleOfCuda, TheHostMustHaveWhatIsOpenedByName) {
  options_.rpath_only = true;
  bundle(options_);
  const auto hosts = nlohmann::json::parse(file_content(options_.report))["host_libraries"];
  Names names;
  for (const auto& host : hosts) names.push_back(host["name"]);
  EXPECT_EQ(names, (Names{"liba.so.1", "libcudnn.so.9", "libcudnn_ops.so.9", "libgomp.so.1"}));
}

TEST_F(BundleOfCuda, WhatIsOpenedByNameAndNotThereIsNamed) {
  options_.also = {"libcudnn_none.so.9"};
  const Error error = error_of([this] { bundle(options_); });
  EXPECT_EQ(error.code(), ExitCode::kEnvironment);
  EXPECT_STREQ(error.what(), "libcudnn_none.so.9 is opened by name and was not found");
}

TEST_F(Bundle, NoStackIsExecutable) {
  const auto marked = [](const fs::path& file) {
    const MappedFile mapped(file);
    return ElfImage(mapped.bytes(), file.string()).executable_stack();
  };
  compile("extern \"C\" int b() { return 1; }\n", deps() / "libb.so.2.0",
          {"-shared", "-fPIC", "-Wl,-soname,libb.so.2", "-Wl,-z,execstack"});
  compile("extern \"C\" int run(); extern \"C\" int plugin() { return run(); }\n",
          root() / "lib/plugins/plugin.so",
          {"-shared", "-fPIC", "-L" + (root() / "lib").string(), "-lmain", "-Wl,-z,execstack"});
  ASSERT_TRUE(marked(deps() / "libb.so.2.0"));
  ASSERT_TRUE(marked(root() / "lib/plugins/plugin.so"));
  bundle(options_);
  EXPECT_FALSE(marked(root() / "lib/libb.so.2"));
  EXPECT_FALSE(marked(root() / "lib/plugins/plugin.so"));
  EXPECT_TRUE(marked(deps() / "libb.so.2.0")) << "the host's file is left as it is";
  EXPECT_EQ(run_command({"env", "-i", (root() / "bin/program").string()}).exit_code, 0);
}

TEST_F(Bundle, TheReportTellsWhatTheHostMustHave) {
  bundle(options_);
  EXPECT_EQ(nlohmann::json::parse(file_content(options_.report))["host_libraries"],
            nlohmann::json::array());
  options_.rpath_only = true;
  for (const char* name : {"liba.so.1", "libb.so.2", "libgomp.so.1"}) {
    fs::remove(root() / "lib" / name);
  }
  bundle(options_);
  const auto hosts = nlohmann::json::parse(file_content(options_.report))["host_libraries"];
  ASSERT_EQ(hosts.size(), 2U) << hosts.dump(2);
  EXPECT_EQ(hosts[0]["name"], "liba.so.1");
  EXPECT_EQ(hosts[0]["symbol_versions"], nlohmann::json::array());
  EXPECT_EQ(hosts[1]["name"], "libgomp.so.1");
  const Names versions = hosts[1]["symbol_versions"];
  EXPECT_NE(std::find(versions.begin(), versions.end(), "GOMP_4.0"), versions.end());
}

TEST_F(Bundle, AMissingPatchelfIsNamed) {
  options_.patchelf = "no-such-patchelf";
  const Error error = error_of([this] { bundle(options_); });
  EXPECT_EQ(error.code(), ExitCode::kEnvironment);
  EXPECT_NE(error.remedy().find("install patchelf"), std::string::npos);
  EXPECT_EQ(error_of([] { bundle({}); }).code(), ExitCode::kEnvironment);
}

}  // namespace
}  // namespace torchpkg::test
