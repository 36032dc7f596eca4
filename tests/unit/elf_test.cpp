// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/file.h"
#include "elf/abi_symbols.h"
#include "elf/elf_image.h"
#include "elf/known_libraries.h"
#include "fat_binaries.h"
#include "scan/scan.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kSource =
    "#include <stdexcept>\n#include <string>\n"
    "namespace x { std::string f(const std::string& a) { if (a.empty()) throw "
    "std::runtime_error(a); return a; } }\n";

fs::path library(const TemporaryFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> flags{"-shared", "-fPIC", "-Wl,-soname,libx.so.3",
                                 "-Wl,--enable-new-dtags,-rpath,/a/b", "-Wl,--build-id=sha1"};
  flags.insert(flags.end(), more.begin(), more.end());
  compile(kSource, folder / "libx.so.3", flags);
  return folder / "libx.so.3";
}

Json scanned(const fs::path& path, bool device_code = false) {
  return Json::parse(scan({.paths = {path}, .device_code = device_code}))["files"];
}

TEST(Scan, ALibrary) {
  const TemporaryFolder folder;
  write_file(folder / "x.map", "X_1.0 { global: *; };\n");
  const fs::path file =
      library(folder, {"-Wl,--version-script," + (folder / "x.map").string(), "-Wl,-z,execstack"});
  const Json json = scanned(file)[0];
  const Json expected = {{"path", file.string()},
                         {"kind", "elf"},
                         {"class", 64},
                         {"type", "shared"},
                         {"interpreter", false},
                         {"dynamic", true},
                         {"soname", "libx.so.3"},
                         {"rpath", nullptr},
                         {"runpath", "/a/b"},
                         {"defined_versions", {"X_1.0"}},
                         {"executable_stack", true},
                         {"text_relocations", false}};
  for (const auto& item : expected.items()) EXPECT_EQ(json[item.key()], item.value()) << item.key();
  EXPECT_EQ(json["needed"].back(), "libc.so.6");
  EXPECT_EQ(json["build_id"].get<std::string>().size(), 40U);
  EXPECT_TRUE(contains(json["needed_versions"]["libstdc++.so.6"].dump(), "\"CXXABI_1.3\""));
  const auto flags = file_content(file)[json["executable_stack_at"].get<std::size_t>()];
  EXPECT_EQ(flags & 1, 1);
}

TEST(Scan, WithoutSectionHeadersTheSame) {
  const TemporaryFolder folder;
  const fs::path file = library(folder);
  const Json before = scanned(file);
  strip_section_headers(file);
  EXPECT_EQ(scanned(file), before);
}

TEST(Scan, FoldersAndStaticLibraries) {
  const TemporaryFolder folder;
  library(folder);
  compile("int f() { return 1; }\n", folder / "x.o", {"-c"});
  must_run({"ar", "rcs", (folder / "libx.a").string(), (folder / "x.o").string()});
  write_file(folder / "manifest.json", "{}");
  fs::create_symlink("libx.so.3", folder / "libx.so");
  const Json files = scanned(folder.path());
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0]["kind"], "archive");
  EXPECT_EQ(files[0]["members"], 1);
  EXPECT_EQ(files[1]["path"], (folder / "libx.so.3").string());
  EXPECT_EQ(files[2]["type"], "relocatable");
}

TEST(Scan, CodeForGpus) {
  const TemporaryFolder folder;
  const fs::path file = folder / "libk.so";
  compile_shared(source_with_section(file, ".nv_fatbin", fat_binary({"sm_80", "sm_90"})), file);
  EXPECT_FALSE(scanned(file)[0].contains("device_code"));
  const Json code = scanned(file, true)[0]["device_code"];
  EXPECT_EQ(code["groups"][0]["targets"], Json({"sm_80", "sm_90"}));
  EXPECT_EQ(code["bytes"], 16 + int{code["sizes"]["sm_80"]} + int{code["sizes"]["sm_90"]});
  compile_shared(source_with_section(file, ".hip_fatbin", offload_bundle({"gfx90a"})), file);
  EXPECT_EQ(scanned(file, true)[0]["device_code"]["groups"][0]["targets"], Json({"gfx90a"}));
}

TEST(Scan, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  write_file(folder / "x", "hello");
  EXPECT_EQ(error_of([&] { scanned(folder / "x"); }).code(), ExitCode::kBadInput);
  EXPECT_EQ(error_of([&] { scanned(folder / "y"); }).code(), ExitCode::kEnvironment);
}

TEST(Scan, AnOutputThatCannotBeWritten) {
  const CommandResult result =
      run_command({"sh", "-c", "\"$0\" scan \"$0\" > /dev/full", TORCHPKG_PROGRAM});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "torchpkg: standard output cannot be written"));
}

TEST(Elf, NoDamageCrashesTheReader) {
  const TemporaryFolder folder;
  const std::string whole = file_content(library(folder));
  const auto read = [](const std::string& text) {
    try {
      const ElfImage image({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "x");
      image.for_each_symbol(SymbolTable::kDynamic, [](const Symbol&) {});
      image.for_each_symbol(SymbolTable::kStatic, [](const Symbol&) {});
      (void)image.build_id();
      (void)image.x86_level();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  };
  for (std::size_t size = 5; size < whole.size(); size += 101) read(whole.substr(0, size));
  for (std::size_t at = 4; at < whole.size(); at += at < 1024 ? 1 : 37) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    read(changed);
  }
}

TEST(Elf, SymbolsTellTheAbi) {
  EXPECT_EQ(string_abi_of("_ZN1x1fERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"),
            StringAbi::kNew);
  EXPECT_EQ(string_abi_of("_ZN1x1gB5cxx11Ev"), StringAbi::kNew);
  EXPECT_EQ(string_abi_of("_ZN1x1fERKSs"), StringAbi::kOld);
  EXPECT_EQ(string_abi_of("_ZN1x1fESt4listIiSaIiEE"), StringAbi::kOld);
  EXPECT_EQ(string_abi_of("_ZNSs6appendEPKc"), StringAbi::kOldStd);
  EXPECT_EQ(string_abi_of("_ZN7ClassSs5fooEvE"), StringAbi::kNone);
  EXPECT_EQ(string_abi_of("_ZN1x8addresSsEv"), StringAbi::kNone);
  EXPECT_EQ(string_abi_of("_ZN1x1fESt17basic_string_viewIcSt11char_traitsIcEE"), StringAbi::kNone);
  EXPECT_EQ(string_abi_of("Ss"), StringAbi::kNone);
}

TEST(Elf, ANameThatDoublesItselfIsNotWrittenOut) {
  std::string name = "_Z1f1aISsSsE";
  EXPECT_EQ(string_abi_of(name), StringAbi::kOld);
  // Each is a type made of the one before, twice: the last one is gigabytes long.
  for (const char part : std::string_view("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    name += std::string("S_IS") + part + "_S" + part + "_E";
  }
  EXPECT_EQ(string_abi_of(name), StringAbi::kNone);
}

TEST(Elf, KnownLibraries) {
  EXPECT_TRUE(is_on_every_host("libc.so.6"));
  EXPECT_TRUE(is_on_every_host("ld-linux-x86-64.so.2"));
  EXPECT_TRUE(is_on_every_host("libstdc++.so.6"));
  EXPECT_FALSE(is_on_every_host("libgomp.so.1"));
  EXPECT_FALSE(is_on_every_host("libcublas.so.12"));
  EXPECT_TRUE(is_openmp_runtime("libgomp.so.1"));
  EXPECT_TRUE(is_openmp_runtime("libgomp-a34b3233.so.1"));
  EXPECT_TRUE(is_openmp_runtime("libiomp5.so"));
  EXPECT_TRUE(is_openmp_runtime("libomp.so.5"));
  EXPECT_FALSE(is_openmp_runtime("libompd.so"));
  EXPECT_FALSE(is_openmp_runtime("libomptarget.so"));
}

}  // namespace
}  // namespace torchpkg::test
