// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bundle/bundle.h"
#include "common/file.h"
#include "elf/elf_image.h"
#include "support.h"

namespace torchpkg::test {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

inline DynamicInfo dynamic_of(const fs::path& file) {
  const MappedFile mapped(file);
  return ElfImage(mapped.bytes(), file.string()).dynamic();
}

inline bool needs(const fs::path& file, const std::string& library) {
  const Names needed = dynamic_of(file).needed;
  return std::find(needed.begin(), needed.end(), library) != needed.end();
}

/// C's function `name`, which calls another one or returns 1.
inline std::string function(const std::string& name, const std::string& called = {}) {
  const std::string c = "extern \"C\" int ";
  if (called.empty()) return c + name + "() { return 1; }\n";
  return c + called + "(); " + c + name + "() { return " + called + "(); }\n";
}

/// A stage whose lib/libmain.so needs liba.so.1, which needs libb.so.2; and libgomp.so.1. A
/// plug-in in lib/plugins and a program in bin need libmain.so.
class Bundle : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root() / "lib/plugins");
    fs::create_directories(root() / "bin");
    fs::create_directories(deps());
    compile(function("b"), deps() / "libb.so.2.0", {"-shared", "-fPIC", "-Wl,-soname,libb.so.2"});
    fs::create_symlink("libb.so.2.0", deps() / "libb.so.2");
    compile_shared(function("a", "b"), deps() / "liba.so.1", {(deps() / "libb.so.2").string()});
    compile_shared(
        "extern \"C\" int a(); extern \"C\" int run() { int n = 0;\n#pragma omp parallel "
        "reduction(+ : n)\nn += a(); return n > 0 ? 0 : 1; }\n",
        root() / "lib/libmain.so",
        {"-fopenmp", (deps() / "liba.so.1").string(), "-Wl,-rpath-link," + deps().string(),
         "-Wl,-rpath,/build/lib"});
    const std::string lib = "-L" + (root() / "lib").string();
    compile(function("plugin", "run"), root() / "lib/plugins/plugin.so",
            {"-shared", "-fPIC", lib, "-lmain"});
    compile("extern \"C\" int run(); int main() { return run(); }\n", root() / "bin/program",
            {lib, "-lmain", "-Wl,-rpath-link," + deps().string()});
    options_.root = root();
    options_.search = {folder_ / "nowhere", deps()};
    options_.report = folder_ / "bundled.json";
  }

  [[nodiscard]] fs::path root() const { return folder_ / "stage"; }
  [[nodiscard]] fs::path deps() const { return folder_ / "deps"; }

  [[nodiscard]] Json report() const { return Json::parse(file_content(options_.report)); }

  /// Runs the program with another PATH, where it looks for patchelf.
  [[nodiscard]] CommandResult bundle_with_path(const std::string& path) const {
    return run_command({"env", "PATH=" + path, TORCHPKG_PROGRAM, "bundle", "--root",
                        root().string(), "--search", deps().string(), "--report",
                        options_.report.string()});
  }

  /// The one file in lib/ that begins so.
  [[nodiscard]] std::string file_in_lib(const std::string& begin) const {
    for (const auto& entry : fs::directory_iterator(root() / "lib")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begin)) return name;
    }
    return {};
  }

  /// And that none of these files has a RUNPATH.
  void expect_rpaths(const std::map<std::string, std::string>& expected) const {
    for (const auto& [file, rpath] : expected) {
      EXPECT_EQ(dynamic_of(root() / file).rpath, rpath) << file;
      EXPECT_FALSE(dynamic_of(root() / file).runpath.has_value()) << file;
    }
  }

  TemporaryFolder folder_;
  BundleOptions options_;
};

}  // namespace torchpkg::test
