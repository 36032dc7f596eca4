// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "bundle_fixture.h"
#include "common/sha256.h"

namespace torchpkg::test {
namespace {

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
  expect_rpaths({{"lib/libmain.so", "$ORIGIN"},
                 {"lib/liba.so.1", "$ORIGIN"},
                 {"lib/plugins/plugin.so", "$ORIGIN:$ORIGIN/.."},
                 {"bin/program", "$ORIGIN/../lib"}});
}

TEST_F(Bundle, TheLibrariesMayLieDeeper) {
  fs::create_directories(root() / "torch");
  fs::create_directories(root() / "other");
  fs::rename(root() / "lib", root() / "torch/lib");
  compile(function("extension", "run"), root() / "torch/_C.so",
          {"-shared", "-fPIC", "-L" + (root() / "torch/lib").string(), "-lmain"});
  fs::copy_file(root() / "torch/_C.so", root() / "other/_C.so");
  options_.lib = "torch/lib";
  bundle(options_);
  EXPECT_TRUE(fs::exists(root() / "torch/lib/liba.so.1"));
  EXPECT_FALSE(fs::exists(root() / "lib"));
  expect_rpaths({{"torch/_C.so", "$ORIGIN/lib"},
                 {"other/_C.so", "$ORIGIN/../torch/lib"},
                 {"torch/lib/libmain.so", "$ORIGIN"},
                 {"torch/lib/plugins/plugin.so", "$ORIGIN:$ORIGIN/.."},
                 {"bin/program", "$ORIGIN/../torch/lib"}});
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
  EXPECT_TRUE(needs(root() / "lib/libmain.so", a));
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
  EXPECT_TRUE(needs(root() / "bin/program", "libmain.so.2.6"));
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
  compile(function("more", "run"), shared / "lib/libmore.so",
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
  EXPECT_TRUE(contains(result.output, text.string() + " is not a shared library"));
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
  write_file(root() / "lib/libmain.so.partial-0123abcd", "half of it");
  bundle(options_);
  EXPECT_FALSE(fs::exists(root() / "lib/libmain.so.partial-0123abcd"));
}

TEST_F(Bundle, InterruptedItLeavesNothing) {
  const fs::path slow = folder_ / "patchelf";
  write_file(slow, "#!/bin/sh\nkill -TERM $PPID\nPATH=${PATH#*:}\nexec patchelf \"$@\"\n");
  fs::permissions(slow, fs::perms::owner_all);
  const CommandResult result =
      bundle_with_path(folder_.path().string() + ":" + std::getenv("PATH"));
  EXPECT_EQ(result.exit_code, 143) << result.output;
  for (const auto& entry : fs::recursive_directory_iterator(root())) {
    EXPECT_EQ(entry.path().string().find(".partial-"), std::string::npos) << entry.path();
  }
  bundle(options_);
  EXPECT_EQ(run_command({(root() / "bin/program").string()}).exit_code, 0);
}

TEST_F(Bundle, AFormerReportThatIsNone) {
  Names texts{"", "7", "{}", R"({"bundled": 5})", R"({"bundled": [5]})", R"({"bundled": [{}]})"};
  for (const char* file : {"5", R"("../../../../../etc/passwd")", R"("..")", R"(".")", R"("")"}) {
    const std::string good = R"({"bundled": [{"name": "x", "from": "x", "sha256": "x", "file": )";
    texts.push_back(good + file + "}]}");
  }
  for (const std::string& text : texts) {
    write_file(options_.report, text);
    const Error error = error_of([&] { bundle(options_); });
    EXPECT_EQ(error.code(), ExitCode::kBadInput) << text;
    EXPECT_EQ(error.what(), options_.report.string() + " is not a report of bundle");
    EXPECT_NE(error.remedy(), "");
  }
}

TEST_F(Bundle, TheReportTellsWhatWasCopied) {
  options_.rename = true;
  const std::string hash = sha256_of_file(deps() / "libb.so.2");
  bundle(options_);
  EXPECT_EQ(report()["schema"], 1);
  ASSERT_EQ(report()["bundled"].size(), 3U);
  const Json b = report()["bundled"][1];
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
  EXPECT_TRUE(begins_with(
      result.output, "torchpkg: libb.so.2 is needed by lib/liba.so.1 and was not found\nremedy: "));
}

TEST_F(Bundle, RpathOnlyCopiesNothing) {
  options_.rpath_only = true;
  EXPECT_TRUE(bundle(options_).empty());
  EXPECT_EQ(file_in_lib("liba"), "");
  EXPECT_EQ(dynamic_of(root() / "lib/libmain.so").rpath, "$ORIGIN");
}

TEST_F(Bundle, NoStackIsExecutable) {
  const auto marked = [](const fs::path& file) {
    const MappedFile mapped(file);
    return ElfImage(mapped.bytes(), file.string()).executable_stack();
  };
  compile(function("b"), deps() / "libb.so.2.0",
          {"-shared", "-fPIC", "-Wl,-soname,libb.so.2", "-Wl,-z,execstack"});
  compile(function("plugin", "run"), root() / "lib/plugins/plugin.so",
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
  EXPECT_EQ(report()["host_libraries"], Json::array());
  options_.rpath_only = true;
  for (const char* name : {"liba.so.1", "libb.so.2", "libgomp.so.1"}) {
    fs::remove(root() / "lib" / name);
  }
  bundle(options_);
  const auto hosts = report()["host_libraries"];
  ASSERT_EQ(hosts.size(), 2U) << hosts.dump(2);
  EXPECT_EQ(hosts[0]["name"], "liba.so.1");
  EXPECT_EQ(hosts[0]["symbol_versions"], Json::array());
  EXPECT_EQ(hosts[1]["name"], "libgomp.so.1");
  const Names versions = hosts[1]["symbol_versions"];
  EXPECT_NE(std::find(versions.begin(), versions.end(), "GOMP_4.0"), versions.end());
}

TEST_F(Bundle, AMissingPatchelfIsNamed) {
  const CommandResult result = bundle_with_path("/nowhere");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "remedy: install patchelf\n"));
  EXPECT_EQ(error_of([] { bundle({}); }).code(), ExitCode::kEnvironment);
}

}  // namespace
}  // namespace torchpkg::test
