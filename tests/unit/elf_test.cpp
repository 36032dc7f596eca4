// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/file.h"
#include "elf/abi_symbols.h"
#include "elf/inspect_elf.h"
#include "elf/known_libraries.h"
#include "inspect/inspect.h"
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

TEST(Elf, ALibraryIsDescribed) {
  const TemporaryFolder folder;
  const Json json = Json::parse(inspect(library(folder), true));
  EXPECT_EQ(json["class"], sizeof(void*) * 8);
  EXPECT_EQ(json["type"], "shared");
  EXPECT_EQ(json["soname"], "libx.so.3");
  EXPECT_EQ(json["runpath"], "/a/b");
  EXPECT_FALSE(json.contains("rpath"));
  EXPECT_EQ(json["build_id"].get<std::string>().size(), 40U);
  EXPECT_EQ(json["abi_symbols"]["old"], 0);
  EXPECT_GT(json["abi_symbols"]["new"], 0);
  EXPECT_EQ(json["needed"].back(), "libc.so.6");
  EXPECT_TRUE(json["highest_versions"]["GLIBCXX"].get<std::string>().starts_with("3.4"));
  EXPECT_TRUE(json["highest_versions"]["CXXABI"].get<std::string>().starts_with("1.3"));
}

TEST(Elf, TheOldAbiIsSeen) {
  const TemporaryFolder folder;
  const Json json = Json::parse(inspect(library(folder, {"-D_GLIBCXX_USE_CXX11_ABI=0"}), true));
  EXPECT_EQ(json["abi_symbols"]["new"], 0);
  EXPECT_EQ(json["abi_symbols"]["old"], 1);
  EXPECT_GT(json["abi_symbols"]["old_std"], 0);
}

TEST(Elf, AFolderIsDescribed) {
  const TemporaryFolder folder;
  library(folder);
  write_file(folder / "manifest.json", "{}");
  EXPECT_EQ(Json::parse(inspect(folder.path(), true))["elf_files"].size(), 1U);
  EXPECT_TRUE(contains(inspect(folder.path(), false), "libx.so.3"));
}

TEST(Elf, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  write_file(folder / "x", "hello");
  EXPECT_EQ(error_of([&] { inspect(folder / "x", false); }).code(), ExitCode::kBadInput);
  EXPECT_EQ(error_of([&] { inspect(folder / "y", false); }).code(), ExitCode::kEnvironment);
}

TEST(Elf, NoDamageCrashesTheReader) {
  const TemporaryFolder folder;
  const std::string whole = file_content(library(folder));
  const auto read = [](const std::string& text) {
    try {
      (void)inspect_elf(
          ElfImage({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "damaged"));
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
