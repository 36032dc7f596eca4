// SPDX-License-Identifier: BSD-3-Clause
// `torchpkg check` of the libraries in a conda package. What they need are stand-ins with the names
// and symbol versions of the real ones, so that the machine's own make no difference.
#include <algorithm>

#include "check_conda_fixture.h"
#include "conda/known_packages.h"

namespace torchpkg::test {
namespace {

class CheckCondaLibraries : public CondaPackageTest {
 protected:
  /// A library that is needed, and the symbol version that is asked for, if any.
  struct Needed {
    std::string soname;
    std::string version;
  };

  void SetUp() override {
    use_libtorch();
    put("lib/libshm_one.so", "$ORIGIN", {{"libc.so.6", "GLIBC_2.34"}});
    put("lib/libshm_two.so", "$ORIGIN",
        {{"libshm_one.so", ""},
         {"libstdc++.so.6", "GLIBCXX_3.4.30"},
         {"libgomp.so.1", "GOMP_4.0"}});
  }

  /// A library with that RPATH. Error: the test fails.
  [[nodiscard]] std::string library(const std::string& soname, const std::string& rpath,
                                    const std::vector<Needed>& needed,
                                    const Words& more = {}) const {
    const fs::path place = folder_ / "made";
    fs::create_directories(place);
    Words flags{"-shared", "-fPIC", "-nostdlib", "-Wl,--build-id=none", "-Wl,-soname," + soname};
    if (!rpath.empty()) {
      flags.insert(flags.end(), {"-Wl,--disable-new-dtags", "-Wl,-rpath," + rpath});
    }
    flags.insert(flags.end(), more.begin(), more.end());
    std::string source;
    std::string calls;
    for (const Needed& one : needed) {
      const std::string call = "f" + std::to_string(calls.size()) + "()";
      const fs::path stand_in = place / one.soname;
      Words own{"-shared", "-fPIC", "-nostdlib", "-Wl,-soname," + one.soname};
      if (!one.version.empty()) {
        const fs::path script = place / (one.soname + ".map");
        write_file(script, one.version + " { *; };\n");
        own.push_back("-Wl,--version-script=" + script.string());
      }
      compile("extern \"C\" void " + call + " {}\n", stand_in, own);
      source += "extern \"C\" void " + call + ";\n";
      calls += call + "; ";
      flags.push_back(stand_in.string());
    }
    const fs::path made = place / "result.so";
    compile(source + "extern \"C\" void use() { " + calls + "}\n", made, flags);
    return file_content(made);
  }

  /// Puts a library, or what is given as one, at a path of the prefix.
  void put(const std::string& path, const std::string& rpath, const std::vector<Needed>& needed,
           const Words& more = {}) {
    CondaPackageTest::put(
        file(path, library(fs::path(path).filename().string(), rpath, needed, more)));
  }

  using CondaPackageTest::put;

  /// What the sample asks for, with other specs instead of those of the same names.
  void depend_on_host_and(const Words& specs) {
    Words all = specs;
    for (const std::string& spec : kHost) {
      const std::string package = spec.substr(0, spec.find(' '));
      const auto same = [&](const std::string& one) {
        return one.substr(0, one.find(' ')) == package;
      };
      if (std::none_of(specs.begin(), specs.end(), same)) all.push_back(spec);
    }
    depend_on(all);
  }

  /// Other rows may fail as well.
  void expect_in_closure(const std::string& text) {
    const std::string details = row("closure").at("details").dump();
    EXPECT_TRUE(contains(details, text));
  }

  void expect_good() {
    const CommandResult result = check();
    EXPECT_EQ(result.exit_code, 0) << result.output;
  }
};

TEST_F(CheckCondaLibraries, PassesAGoodOne) {
  expect_good();
  const CommandResult result = check();
  EXPECT_TRUE(contains(result.output, "with those of _openmp_mutex, "));
  EXPECT_TRUE(contains(result.output, "GLIBC_2.34 (__glibc 2.34), GLIBCXX_3.4.30 (libstdcxx 12)"));
  depend_on({"__glibc >=2.17", "__glibc >=99", "libstdcxx-ng >=13.2|12.*", "libgomp", "libgcc"});
  expect_good();
}

TEST_F(CheckCondaLibraries, SaysNothingWithoutAnIndex) {
  info["index.json"] = "";
  expect_found_in("conda", "info/index.json is missing");
}

TEST_F(CheckCondaLibraries, Damaged) {
  const std::string good = library("libshm_one.so", "$ORIGIN", {});
  put(file("lib/libshm_one.so", good.substr(0, good.size() / 2)));
  expect_found_in("elf-files", "lib/libshm_one.so is a damaged ELF file");
}

TEST_F(CheckCondaLibraries, Rpath) {
  const auto expect_wrong = [&](const std::string& rpath, const std::string& problem) {
    put("lib/deep/libshm_three.so", rpath, {});
    expect_found_in("rpath", "lib/deep/libshm_three.so has " + problem);
  };
  put("lib/deep/libshm_three.so", "$ORIGIN:${ORIGIN}/..:$ORIGIN/../..", {});
  expect_good();
  expect_wrong("/build/lib", "/build/lib in its RPATH");
  expect_wrong("$ORIGIN:lib", "lib in its RPATH");
  expect_wrong("$ORIGIN/../../..", "$ORIGIN/../../.. in its RPATH, outside the package");
  expect_wrong("$ORIGIN:", "an empty folder in its RPATH");
  put("lib/deep/libshm_three.so", "", {}, {"-Wl,--enable-new-dtags", "-Wl,-rpath,/build/lib"});
  expect_found_in("rpath", "lib/deep/libshm_three.so has /build/lib in its RPATH");
}

TEST_F(CheckCondaLibraries, NotReached) {
  put("lib/libshm_two.so", "$ORIGIN/other", {{"libshm_one.so", ""}});
  expect_in_closure(
      "lib/libshm_two.so needs libshm_one.so, which is inside as lib/libshm_one.so but "
      "not reached by its RPATH");
  put("lib/libshm_two.so", "$ORIGIN", {{"libmissing.so.3", ""}});
  expect_found_in(
      "closure",
      "lib/libshm_two.so needs libmissing.so.3, which is not inside, and no package that "
      "depends could name is known to have it");
}

TEST_F(CheckCondaLibraries, LibraryOfNoDependency) {
  const std::vector<std::pair<Needed, std::string>> libraries{
      {{"libstdc++.so.6", "GLIBCXX_3.4.30"}, "libstdcxx or libstdcxx-ng"},
      {{"libgcc_s.so.1", "GCC_3.0"}, "libgcc or libgcc-ng"},
      {{"libgomp.so.1", "GOMP_4.0"}, "_openmp_mutex or libgomp"},
      {{"libiomp5.so", "VERSION"}, "llvm-openmp"},
      {{"libpython3.11.so.1.0", ""}, "python"},
      {{"libtorch_cuda.so", ""}, "libtorch"},
  };
  depend_on({"__glibc >=99"});
  for (const auto& [needed, packages] : libraries) {
    put("lib/libshm_two.so", "$ORIGIN", {needed});
    expect_in_closure("lib/libshm_two.so needs " + needed.soname + " of the package " + packages +
                      ", which depends does not name");
  }
}

/// What is laid out as the package pytorch: links instead of libtorch's libraries.
TEST_F(CheckCondaLibraries, LibtorchOfThePrefix) {
  use_pytorch();
  const std::string torch_lib = home + "lib/";
  put(torch_lib + "libtorch_python.so", "$ORIGIN",
      {{"libc10.so", ""}, {"libgomp.so.1", ""}, {"libc.so.6", "GLIBC_2.34"}});
  put(link(torch_lib + "libc10.so", "../../../../../lib/libc10.so"));
  put(link(torch_lib + "libgomp.so.1", "../../../../../lib/libgomp.so.1"));
  depend_on_host_and({"libtorch 2.6.0 cpu_mkl_h0_0"});
  expect_good();
  depend_on_host_and({"libtorch >=2.6"});
  expect_in_closure(torch_lib +
                    "libtorch_python.so needs libc10.so of exactly one "
                    "libtorch, but depends has 'libtorch >=2.6'");
  depend_on_host_and({});
  expect_in_closure("needs libc10.so of the package libtorch, which depends does not name");

  depend_on_host_and({"libtorch 2.6.0 cpu_mkl_h0_0"});
  put(link(torch_lib + "libc10.so", "../../libc10.so"));
  expect_found_in("closure", "needs libc10.so and finds " + torch_lib +
                                 "libc10.so, a symlink to lib/python3.11/site-packages/libc10.so, "
                                 "which is not inside");
}

TEST_F(CheckCondaLibraries, LibtorchThroughTheRpath) {
  use_pytorch();
  const std::string path = home + "lib/libtorch_python.so";
  depend_on_host_and({"libtorch 2.6.0 cpu_mkl_h0_0"});
  put(path, "$ORIGIN:$ORIGIN/../../../..", {{"libc10.so", ""}, {"libc.so.6", "GLIBC_2.34"}});
  expect_good();
  put(path, "$ORIGIN/../../..", {{"libc10.so", ""}, {"libc.so.6", "GLIBC_2.34"}});
  expect_found_in("closure",
                  path + " needs libc10.so, but its RPATH does not lead to lib/, where libtorch");
}

TEST_F(CheckCondaLibraries, NewerThanTheBounds) {
  depend_on_host_and({"__glibc >=2.17,<3.0.a0"});
  expect_found_in("platform",
                  "lib/libshm_one.so needs GLIBC_2.34, for which depends must have __glibc "
                  ">=2.34; it has '__glibc >=2.17,<3.0.a0'");
  depend_on({"libstdcxx >=99", "libgcc >=99", "_openmp_mutex"});
  expect_found_in("platform",
                  "lib/libshm_one.so needs GLIBC_2.34, for which depends must have __glibc "
                  ">=2.34; it has none");
  depend_on_host_and({"libstdcxx >=11"});
  expect_found_in("platform",
                  "lib/libshm_two.so needs GLIBCXX_3.4.30, for which depends must have "
                  "libstdcxx >=12; it has 'libstdcxx >=11'");
  depend_on_host_and({"libstdcxx"});
  expect_found_in("platform", "libstdcxx >=12; it has 'libstdcxx'");

  depend_on_host_and({"libstdcxx >=12", "libgcc >=11"});
  put("lib/libshm_two.so", "", {{"libstdc++.so.6", "CXXABI_1.3.15"}});
  expect_found_in("platform", "needs CXXABI_1.3.15, for which depends must have libstdcxx >=14");
  put("lib/libshm_two.so", "", {{"libgcc_s.so.1", "GCC_12.0.0"}});
  expect_found_in("platform", "needs GCC_12.0.0, for which depends must have libgcc >=12");
  put("lib/libshm_two.so", "", {{"libc.so.6", "GLIBC_PRIVATE"}});
  expect_found_in("platform", "lib/libshm_two.so needs GLIBC_PRIVATE, which only one build");
}

TEST_F(CheckCondaLibraries, NoBoundOfTheHost) {
  use_pytorch();
  put(home + "lib/libshm_one.so", "$ORIGIN", {});
  depend_on({"libtorch 2.6.0 cpu_mkl_h0_0"});
  expect_found_in("platform", "there are ELF files, but depends has no bound of __glibc");
}

TEST_F(CheckCondaLibraries, OtherMachine) {
  const std::string linux_64 = "\"linux-64\"";
  for (const char* subdir : {"noarch", "linux-aarch64", "osx-64"}) {
    depend_on(kHost);
    std::string& index = info["index.json"];
    index.replace(index.find(linux_64), linux_64.size(), "\"" + std::string(subdir) + "\"");
    expect_found_in("platform",
                    "lib/libshm_one.so is for x86_64, subdir is " + std::string(subdir));
  }
}

TEST_F(CheckCondaLibraries, HostPackages) {
  using Set = std::set<std::string>;
  using List = std::vector<std::string>;
  const auto packages = [](const Set& versions, const Set& libraries = {}) {
    return conda::host_packages(versions, libraries);
  };
  const List oldest{"__glibc >=2.17,<3.0.a0", "libgcc >=5", "libstdcxx >=5"};
  EXPECT_EQ(packages({}), oldest);
  EXPECT_EQ(packages({"GLIBC_2.2.5", "GLIBCXX_3.4.9", "GOMP_4.0"}), oldest);
  EXPECT_EQ(
      packages({"GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.17", "GLIBCXX_3.4.30"}, {"libgomp.so.1"}),
      (List{"__glibc >=2.34,<3.0.a0", "libgcc >=12", "libstdcxx >=12", "_openmp_mutex >=4.5"}));
  // 13.1 has no GLIBCXX_3.4.32.
  EXPECT_EQ(packages({"GLIBCXX_3.4.32", "CXXABI_1.3.14"})[2], "libstdcxx >=13.2");
  EXPECT_EQ(packages({"GLIBCXX_3.4.29", "CXXABI_1.3.15"})[2], "libstdcxx >=14");
  EXPECT_EQ(packages({"GCC_12.0.0"})[1], "libgcc >=12");
  EXPECT_EQ(packages({}, {"libcudart.so.12", "libcublas.so.12", "libcublasLt.so.12",
                          "libcudnn.so.9", "libcusparseLt.so.0", "libnvrtc.so.12"}),
            (List{"__glibc >=2.17,<3.0.a0", "libgcc >=5", "libstdcxx >=5", "cuda-cudart",
                  "cuda-nvrtc", "cudnn", "cusparselt", "libcublas"}));
}

TEST_F(CheckCondaLibraries, KnownPackages) {
  using conda::need_of;
  EXPECT_EQ(need_of("GLIBC_2.2.5").version, "2.2.5");
  EXPECT_EQ(need_of("GLIBC_ABI_DT_RELR").version, "2.36");
  EXPECT_EQ(need_of("GLIBC_PRIVATE").version, "");
  EXPECT_EQ(need_of("GLIBCXX_3.4").version, "");
  EXPECT_EQ(need_of("GLIBCXX_3.4.21").version, "");
  EXPECT_EQ(need_of("GLIBCXX_3.4.24").version, "7.2");
  EXPECT_EQ(need_of("GLIBCXX_3.4.32").version, "13.2");
  EXPECT_EQ(need_of("GLIBCXX_3.4.99").version, "16");
  EXPECT_EQ(need_of("CXXABI_1.3.9").version, "");
  EXPECT_EQ(need_of("CXXABI_1.3.11").version, "7");
  EXPECT_EQ(need_of("GCC_4.2.0").version, "");
  EXPECT_EQ(need_of("GCC_7.0.0").version, "7");
  EXPECT_EQ(need_of("GOMP_4.0").version, "");
  EXPECT_EQ(conda::origin_of("libtorch_python.so").packages.size(), 0U);
  using List = std::vector<std::string>;
  EXPECT_EQ(conda::origin_of("libcudnn_ops.so.9").packages, (List{"cudnn", "libcudnn"}));
  EXPECT_EQ(conda::origin_of("libcusparse.so.12").packages, (List{"libcusparse", "cudatoolkit"}));
  EXPECT_EQ(conda::origin_of("libnccl.so.2").packages, List{"nccl"});
  EXPECT_EQ(conda::machine_of("linux-64"), "x86_64");
  EXPECT_EQ(conda::machine_of("noarch"), "");
  EXPECT_FALSE(conda::is_subdir("dist"));
}

}  // namespace
}  // namespace torchpkg::test
