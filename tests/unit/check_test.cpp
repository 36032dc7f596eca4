// SPDX-License-Identifier: BSD-3-Clause
// A good package passes every check; each line breaks one thing, and these rows must fail.
#include <gtest/gtest.h>

#include <algorithm>

#include "check_fixture.h"
#include "sample_package.h"

namespace torchpkg::test {
namespace {

class Check : public CheckTest {
 protected:
  /// One of our libraries, for faults.
  static constexpr const char* kMore = "lib/libtorch_more.so";
  static constexpr const char* kCpu = "lib/libtorch_cpu.so";

  static Change more(const std::string& source, const Names& flags = {}) {
    return put_library(kMore, source, flags);
  }
};

constexpr const char* kFunction = "extern \"C\" int more() { return 1; }\n";

TEST_F(Check, TheGoodPackagePassesEverything) {
  EXPECT_EQ(failed(), "") << report_.dump(2);
  for (const Json& row : report_["checks"]) {
    const std::string name = row["name"];
    const bool other =
        name == "static-libraries" || name == "third-party-symbols" || name == "cuda-versions";
    EXPECT_EQ(row["verdict"], other ? "not applicable" : "pass") << name;
  }
  EXPECT_EQ(run_command({"env", "-i", (root() / "bin/tool").string()}).exit_code, 0);
  const std::string text = torchpkg({"check", root().string()}).output;
  EXPECT_TRUE(contains(text, "pass  closure             all resolve\n"));
  EXPECT_TRUE(contains(text, "none inside; no debug package was given\n"));
  EXPECT_TRUE(contains(text, "0 of 17 checks failed\n"));
}

TEST_F(Check, BriefRowsOnlyWhenOneFails) {
  const std::vector<std::string> brief = {"check", "--brief", root().string()};
  const std::string good = torchpkg(brief).output;
  EXPECT_EQ(std::count(good.begin(), good.end(), '\n'), 1) << good;
  EXPECT_TRUE(contains(good, "0 of 17 checks failed\n"));
  fs::remove(root() / "lib/libhelper.so.1");
  const std::string text = torchpkg(brief).output;
  EXPECT_TRUE(contains(text, "pass  elf-files "));
  EXPECT_TRUE(contains(text, "which is missing; wanted: every NEEDED is inside, reached"));
}

TEST_F(Check, AWheelAndACondaPrefix) {
  const std::string cpu = file_content(root() / kCpu);
  fs::rename(root(), folder_ / "torch");
  fs::create_directories(root());
  fs::rename(folder_ / "torch", root() / "torch");
  EXPECT_EQ(failed(), "") << report_.dump(2);
  broken("a module that is text", {put("torch/_C.cpython-311-x86_64-linux-gnu.so", "text")},
         "elf-files",
         "torch/_C.cpython-311-x86_64-linux-gnu.so is not a library, as its name says");
  const std::string site = "lib/python3.11/site-packages/";
  change({put("info/index.json", "{}"), move_file("torch", site + "torch")});
  EXPECT_EQ(failed(), "") << report_.dump(2);
  broken("what is missing comes from other packages", {drop(site + "torch/lib/libhelper.so.1")},
         "");
}

TEST_F(Check, Libraries) {
  std::string aarch64 = file_content(root() / "lib/libc10.so");
  aarch64[18] = static_cast<char>(0xb7);  // e_machine
  std::string kernels = aarch64;
  kernels[18] = static_cast<char>(0xe0);  // EM_AMDGPU
  const Change cut = [](const fs::path& package) {
    fs::resize_file(package / "lib/libhelper.so.1", 500);
  };
  const Change old_gomp = put_library("lib/libgomp.so.1", "extern \"C\" void GOMP_parallel() {}\n");
  const Change v4 = more(kFunction, {"-Wl,-z,x86-64-v4"});
  broken("a library that is text", {put("lib/libhelper.so.1", "text")}, "elf-files",
         "lib/libhelper.so.1 is not a library, as its name says");
  broken("a damaged one", {cut}, "elf-files", "lib/libhelper.so.1 is a damaged ELF file: *");
  broken("a missing one", {drop("lib/libhelper.so.1")}, "closure",
         "lib/libtorch_cpu.so needs libhelper.so.1, which is missing");
  broken("a version that the bundled library lacks", {old_gomp}, "closure",
         "lib/libtorch_cpu.so needs GOMP_*, which lib/libgomp.so.1 does not have");
  broken("an RPATH that misses a library", {set_rpath("bin/tool", "$ORIGIN")}, "closure",
         "bin/tool needs libtorch_cpu.so, which is inside as lib/libtorch_cpu.so but not reached "
         "by its RPATH");
  broken("a build path in an RPATH", {set_rpath(kCpu, "$ORIGIN:/build/pytorch/lib")}, "rpath",
         "lib/libtorch_cpu.so has /build/pytorch/lib in its RPATH");
  broken("an RPATH that leaves the package",
         {set_rpath("bin/tool", "$ORIGIN/../lib:$ORIGIN/../../x")}, "rpath",
         "bin/tool has $ORIGIN/../../x in its RPATH, outside the package");
  broken("an empty folder in an RPATH", {set_rpath(kCpu, "$ORIGIN:")}, "rpath");
  broken("a RUNPATH instead of an RPATH",
         {run_on(kCpu, {"patchelf", "--remove-rpath"}),
          run_on(kCpu, {"patchelf", "--set-rpath", "$ORIGIN"})},
         "rpath");
  good("a program with a RUNPATH that needs the host alone", {[](const fs::path& root) {
         compile("int main() { return 0; }\n", root / "bin/alone",
                 {"-Wl,--enable-new-dtags,-rpath,$ORIGIN/../lib64"});
       }});
  const auto made_by_others = [](const char* rpath) {
    return std::vector<Change>{run_on("lib/libhelper.so.1", {"patchelf", "--remove-rpath"}),
                               run_on("lib/libhelper.so.1", {"patchelf", "--set-rpath", rpath}),
                               set("/bundled/1/unchanged", true)};
  };
  good("a library as its maker made it, which looks beside itself first",
       made_by_others("$ORIGIN:$ORIGIN/../../x"));
  broken("one that looks elsewhere first", made_by_others("$ORIGIN/../../x:$ORIGIN"), "rpath");
  broken("a symbol that nothing has",
         {more("void nowhere(); extern \"C\" int more() { nowhere(); return 1; }\n")},
         "undefined-symbols",
         "lib/libtorch_more.so asks for _Z7nowherev, which nothing that it loads has");
  broken("the same without section headers",
         {more("void nowhere(); extern \"C\" int more() { nowhere(); return 1; }\n"),
          [](const fs::path& package) { strip_section_headers(package / kMore); }},
         "undefined-symbols",
         "lib/libtorch_more.so asks for _Z7nowherev, which nothing that it loads has");
  broken("one of libhelper, which this library does not need",
         {more("extern \"C\" int helper(); extern \"C\" int more() { return helper(); }\n")},
         "undefined-symbols");
  const auto helper_calling = [](const std::string& name) {
    return put_library("lib/libhelper.so.1",
                       "#include <string>\nnamespace c10 { std::string " + name +
                           "(const std::string&); }\nextern \"C\" int helper() { return c10::" +
                           name + "({}).empty(); }\n");
  };
  good("a bundled library takes a symbol from what its loader loads", {helper_calling("warn")});
  broken("a bundled library asks for one that its loader does not load either",
         {helper_calling("nowhere")}, "undefined-symbols",
         "lib/libhelper.so.1 asks for *nowhere*, which nothing that it loads has");
  const auto linked_alone = [](const std::string& path, const std::string& calls) {
    return put_library(
        path,
        "extern \"C\" { int pthread_kill(...); int dlclose(...); int dl_other(...);\n"
        "int helper() { return " +
            calls + "; } }\n",
        {"-nodefaultlibs"});
  };
  const std::string of_glibc = "pthread_kill() + dlclose()";
  good("a bundled library asks for what the C library has, without its version",
       {linked_alone("lib/libhelper.so.1", of_glibc)});
  broken("and for something else", {linked_alone("lib/libhelper.so.1", of_glibc + "+ dl_other()")},
         "undefined-symbols",
         "lib/libhelper.so.1 asks for dl_other, which nothing that it loads has");
  broken("the package's own does", {linked_alone(kMore, "pthread_kill()")}, "undefined-symbols",
         "lib/libtorch_more.so asks for pthread_kill, which nothing that it loads has");
  good("a library that was linked without the C++ runtime, which another one loads",
       {put_library("lib/libc10.so",
                    std::string(kC10Source) + "std::string c10_name() { return {}; }\n", {}),
        [](const fs::path& package) {
          const Names flags{"-nodefaultlibs",
                            "-L" + (package / "lib").string(),
                            "-Wl,--no-as-needed",
                            "-lc10",
                            "-lc",
                            "-lgcc_s",
                            "-Wl,--disable-new-dtags,-rpath,$ORIGIN"};
          compile_shared(
              "#include <string>\nstd::string c10_name();\n"
              "extern \"C\" int more() { return c10_name() == std::string(99, 'x'); }\n",
              package / kMore, flags);
        }});
  good("a weak symbol may be missing",
       {more("extern \"C\" int perhaps() __attribute__((weak));\n"
             "extern \"C\" int more() { return perhaps ? perhaps() : 0; }\n")});
  broken("an executable stack", {more(kFunction, {"-Wl,-z,execstack"})}, "platform",
         "lib/libtorch_more.so asks for an executable stack*");
  broken("a property note that asks for AVX-512", {v4}, "platform",
         "lib/libtorch_more.so can only be loaded on x86-64-v4: its property note says so");
  broken("libraries for two machines", {put("lib/other/libc10.so", aarch64)}, "platform");
  good("kernels for AMD's GPUs are data", {put("lib/other/gfx90a.hsaco", kernels)});
  broken("a platform that is too optimistic", {set("/platform/glibc", "2.1")}, "platform",
         "bin/tool needs GLIBC 2.*, the package claims 2.1");
  broken("PyTorch's Python library", {put_library("lib/libtorch_python.so", kFunction)}, "contents",
         "lib/libtorch_python.so is for Python only");
  broken("a static library", {put("lib/libextra.a", "!<arch>\n")}, "contents");
  good("a header of another project, behind all others",
       {put("include/third_party/cpuinfo.h", "")});
  for (const std::string name : {"cpuinfo.h", "kineto/libkineto.h", "torch.h"}) {
    broken(name, {put("include/" + name, "")}, "contents", "include/" + name + " is a header of *");
  }
  broken("no kernels",
         {put_library(kCpu, "#include <string>\nstd::string f(std::string a) { return a; }\n",
                      {"-fopenmp", "-Wl,--no-as-needed"}),
          set_rpath(kCpu, "$ORIGIN")},
         "undefined-symbols cpu-kernels", "libtorch_cpu has no kernel for AVX-512");
}

TEST_F(Check, CxxAbi) {
  const Names old_abi{"-D_GLIBCXX_USE_CXX11_ABI=0"};
  const std::string config = "share/cmake/Torch/TorchConfig.cmake";
  const Change other_flag = put(config, "set(F \"-D_GLIBCXX_USE_CXX11_ABI=0\")\n");
  broken("the old ABI", {put_library("lib/libc10.so", kC10Source, old_abi)},
         "undefined-symbols cxx-abi", "lib/libc10.so has 1 symbol of the old ABI*");
  good("a library that was copied may have it",
       {put_library("lib/libvendor.so.9", kC10Source, old_abi), list_bundled("libvendor.so.9")});
  broken("the flag of the other ABI", {other_flag}, "cxx-abi",
         config + " says _GLIBCXX_USE_CXX11_ABI=0, the manifest says 1");
  broken("the libraries have the new ABI", {other_flag, set("/cxx11_abi", false)}, "cxx-abi");
  broken("the flag in a pkg-config file",
         {put("lib/pkgconfig/torch.pc", "Cflags: -D_GLIBCXX_USE_CXX11_ABI=0\n")}, "cxx-abi");
  broken("a C++ runtime of its own",
         {more("extern \"C\" void __cxa_throw(void*, void*, void (*)(void*)) {}\n")}, "cxx-abi",
         "lib/libtorch_more.so has a C++ runtime of its own*");
}

TEST_F(Check, OpenMp) {
  const Change omp = put_library("lib/libiomp5.so", "extern \"C\" int omp() { return 1; }\n");
  broken("two runtimes", {omp, list_bundled("libiomp5.so")}, "openmp",
         "2 OpenMP runtimes: libgomp.so.1, libiomp5.so");
  broken("one linked into a library", {more("extern \"C\" void __kmpc_fork_call() {}\n")},
         "openmp");
}

TEST_F(Check, WithoutDeps) {
  broken("the libraries that are inside", {set("/deps", "without-deps")}, "contents",
         "lib/libgomp.so.1 is bundled in a package without deps");
  change({drop("lib/libgomp.so.1"), drop("lib/libhelper.so.1"), set("/deps", "without-deps")});
  const auto host = [](const Names& versions) {
    return set("/host_libraries", {{{"name", "libhelper.so.1"}, {"symbol_versions", Json::array()}},
                                   {{"name", "libgomp.so.1"}, {"symbol_versions", versions}}});
  };
  broken("one that the manifest does not name", {}, "closure",
         "libgomp.so.1 must come from the host, but the manifest does not name it in "
         "host_libraries");
  broken("a version that it does not name", {host({})}, "closure",
         "lib/libtorch_cpu.so needs GOMP_4.0 of libgomp.so.1, which the manifest does not name");
  good("all named", {host({"GOMP_1.0", "GOMP_4.0", "GOMP_4.5", "OMP_1.0"})});
}

TEST_F(Check, OpenedByName) {
  const auto opener = [](const std::string& name) -> std::vector<Change> {
    return {more("#include <dlfcn.h>\nextern \"C\" void* more() { return dlopen(\"" + name +
                 "\", RTLD_NOW); }\n"),
            set_rpath(kMore, "$ORIGIN")};
  };
  std::vector<Change> not_reached = opener("libhelper.so.1");
  not_reached.push_back(set_rpath(kMore, "$ORIGIN/../bin"));
  broken("one that is inside and not reached", not_reached, "opened-by-name",
         "lib/libtorch_more.so opens libhelper.so.1 by name, which is inside as "
         "lib/libhelper.so.1 but not reached");
  good("one that is reached", opener("libtorch_cpu.so"));
  good("one that is completed by a version", opener("libhelper.so"));
  std::vector<Change> theirs = opener("libparts.so.1");
  theirs.insert(theirs.end(),
                {put_library("lib/libparts.so.1", ""), list_bundled("libparts.so.1"),
                 run_on(kMore, {"patchelf", "--remove-rpath"}), list_bundled("libtorch_more.so"),
                 set("/bundled/3/unchanged", true)});
  broken("one of a library without an RPATH that stays as it is", theirs, "opened-by-name",
         "lib/libtorch_more.so has no RPATH and opens libparts.so.1 by name: nothing that it looks "
         "into has lib/libparts.so.1");
  theirs.push_back(add_needed(kCpu, "libparts.so.1"));
  good("the same, which is loaded before", theirs);
  good("one of GPUs, which only says no", opener("libcudart.so.12"));
  good("one that may be missing", opener("libnuma.so.1"));
}

TEST_F(Check, Versions) {
  const std::string config = "share/cmake/Torch/TorchConfigVersion.cmake";
  broken("another one than find_package compares",
         {put(config, "set(PACKAGE_VERSION \"2.7.0\")\n")}, "versions",
         config + " says 2.7.0, the manifest says 2.6.0+cpu");
  broken("none", {drop(config)}, "versions", config + " is missing");
  broken("another one in a header",
         {replace("include/torch/csrc/api/include/torch/version.h", "\"2.6.0\"", "\"2.7.0\"")},
         "versions");
  broken("another build", {put("build-version", "2.6.0+cu124\n")}, "versions");
  for (const std::string version : {"2.6.0.dev20261123+cpu", "2.6.0rc1+cpu", "2.6.0a0+cpu"}) {
    good(version, {set("/version", version), put("build-version", version + "\n")});
  }
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): clang 14 loses sight of a Change

TEST_F(Check, BuildPaths) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"Libs: -L/build/lib -lx", "/build/lib"},
      {"prefix=/usr", "/usr"},
      {"set(A \"x;/usr/local/cuda/lib64/libculibos.a\")", "/usr/local/cuda/lib64/libculibos.a"},
      {"set(A /usr/local/cuda-12.4/lib)", "/usr/local/cuda-12.4/lib"},
      {"set(F -Wl,-rpath,/home/builder/lib)", "/home/builder/lib"},
      {"set(D \"$<BUILD_INTERFACE:/data/include>\")", "/data/include"},
      {"  # made in /tmp/x", "/tmp/x"},
      {"link(t a;/lib/x86_64-linux-gnu/libm.so;b)", "/lib/x86_64-linux-gnu/libm.so"},
      {"set(M /opt/${name}/lib)", "/opt"},
      {"set(L " + std::string(100000, 'x') + " /tmp/x)", "/tmp/x"},
      {"libdir=${prefix}/lib", ""},
      {"Libs: -L${prefix}/usr/lib", ""},
      {"URL: https://pytorch.org/usr/lib", ""},
      {"set(A a/usr/lib ../home/x)", ""},
      {"find_path(A x.h PATHS /usr/local/cuda-12.4 /usr/local/cuda)", ""},
      {"set(A /variable /dev/null /usrlib)", ""},
  };
  for (const auto& [line, path] : lines) {
    broken(line.substr(0, 60),
           {put("lib/pkgconfig/torch.pc", "prefix=${pcfiledir}/../..\n" + line + "\n")},
           path.empty() ? "" : "build-paths",
           "lib/pkgconfig/torch.pc:2 has the absolute path " + path);
  }
  options_ = {"--forbid-path", "/home/builder"};
  broken("a forbidden path", {put("share/a.txt", "made in /home/builder/x")}, "build-paths",
         "share/a.txt contains /home/builder");
  good("a longer name", {put("share/a.txt", "made in /home/builders")});
}

TEST_F(Check, ThirdPartySymbols) {
  const std::string source =
      "namespace fmt { int f() { return 1; } }\nextern \"C\" int xnn_a() { return 1; }\n"
      "extern \"C\" int xnn_b() { return 1; }\nextern \"C\" int xnn_api() { return 1; }\n";
  change({set("/symbols", Json::parse(R"({
    "hidden": [{"library": "XNNPACK", "names": ["xnn_"]}, {"library": "fmt", "names": ["fmt::"]}],
    "exported": [{"names": ["xnn_api"], "why": "plugins call it"}]
  })"))});
  broken("some", {more(source)}, "third-party-symbols",
         "lib/libtorch_more.so exports 2 symbols of XNNPACK (the first: xnn_a)");
  good("a bundled library exports its own",
       {put_library("lib/libxnn.so.1", source), list_bundled("libxnn.so.1")});
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): clang 14 loses sight of a Change

TEST_F(Check, WrongInput) {
  const std::string path = root().string();
  write_file(folder_ / "x.zip", "PK");
  const auto expect = [](const Names& command, int exit_code, const std::string& words) {
    const CommandResult result = torchpkg(command);
    EXPECT_EQ(result.exit_code, exit_code) << result.output;
    EXPECT_TRUE(contains(result.output, words));
  };
  const std::string zip = (folder_ / "x.zip").string();
  expect({"check", zip}, 3, zip + " is not a folder\nremedy: unpack the package");
  change({unset("/deps")});
  expect({"check", path}, 3, "manifest.json: key 'deps' not found");
  change({set("/deps", 3.5)});
  expect({"check", path}, 3, "manifest.json: (/deps) type must be string, but is number");
  change({put("manifest.json", "{")});
  expect({"check", path}, 3, "manifest.json: ");
  change({drop("manifest.json")});
  expect({"check", path}, 3, path + " has no manifest.json\nremedy: give the folder of a package");
}

}  // namespace
}  // namespace torchpkg::test
