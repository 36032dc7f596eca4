// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <regex>

#include "run/build_log.h"
#include "run/ninja_progress.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Words = std::vector<std::string>;

/// A command under `torchpkg run` in a folder of its own.
class Run : public testing::Test {
 protected:
  CommandResult run(const Words& options, const Words& command) {
    Words all{"run", "--package", "demo", "--phase", "build", "--log", log().string()};
    all.insert(all.end(), options.begin(), options.end());
    all.emplace_back("--");
    all.insert(all.end(), command.begin(), command.end());
    return torchpkg(all);
  }

  /// A ninja file whose steps run `script`s; ninja itself is run in the folder.
  Words ninja(const std::string& rules) {
    write_file(folder_ / "build.ninja", rules);
    return {"ninja", "-C", folder_.path().string(), "-j2"};
  }

  [[nodiscard]] fs::path log() const { return folder_ / "logs/build.log"; }

  TemporaryFolder folder_;
};

TEST_F(Run, PassesOnSuccessAndKeepsTheLog) {
  const CommandResult result = run({}, {"sh", "-c", "echo out; echo err >&2"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(file_content(log()), "\nout\nerr\n"));
  EXPECT_TRUE(contains(result.output, "demo build done in"));
  run({}, {"true"});
  EXPECT_TRUE(contains(file_content(log().string() + ".1"), "err"));
}

TEST_F(Run, OutputIsPlainWhenItIsNotATerminal) {
  const CommandResult result =
      run({"--interval", "0"}, ninja("rule s\n command = sleep 0.2; touch $out\n"
                                     "build a: s\nbuild b: s\nbuild c: s\n"));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "demo build 2/3 66%"));
  EXPECT_EQ(result.output.find_first_of("\r\033"), std::string::npos);
}

TEST_F(Run, OnATerminalOneLineIsRewritten) {
  const std::string script = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
  const CommandResult result =
      run_command({"python3", "-c", script, TORCHPKG_PROGRAM, "run", "--package", "demo", "--phase",
                   "build", "--log", log().string(), "--", "sh", "-c",
                   "for i in 1 2 3; do echo \"[$i/3] step $i\"; sleep 0.3; done"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  // Which steps are seen, and for how long, depends on how busy the machine is.
  EXPECT_TRUE(std::regex_search(result.output, std::regex("\r\033\\[Kdemo build [1-3]/3 ")))
      << result.output;
  EXPECT_TRUE(
      std::regex_search(result.output, std::regex("\r\033\\[Kdemo build done in [0-9ms]+\r\n$")))
      << result.output;
}

TEST_F(Run, TheCommandsWordsArePassedUnchanged) {
  run({}, {"sh", "-c", "for word; do echo \"<$word>\"; done", "sh", "--", "", "[a,b]", "--log",
           "a;b", "{}", "%%", "run"});
  EXPECT_TRUE(
      contains(file_content(log()), "\n<-->\n<>\n<[a,b]>\n<--log>\n<a;b>\n<{}>\n<%%>\n<run>\n"));
}

TEST_F(Run, AFailureShowsTheEndOfTheLogAndItsPath) {
  const CommandResult result =
      run({"--tail", "3"}, {"sh", "-c", "for i in 1 2 3 4 5; do echo line $i; done; exit 7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_TRUE(contains(result.output,
                       "torchpkg: demo build failed (exit 7)\nline 3\nline 4\nline 5\nlog: " +
                           log().string() + "\n"));
  EXPECT_FALSE(contains(result.output, "line 2"));
}

TEST_F(Run, AFailureShowsTheLogFromTheFirstFailedStepOn) {
  const CommandResult result = run(
      {"--tail", "3"},
      ninja("rule bad\n command = echo oops.c:1: error; for i in 1 2 3 4 5 6 7 8 9; do echo $$i; "
            "done; false\nbuild x.o: bad\n"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "FAILED: "));
  EXPECT_TRUE(contains(result.output, "oops.c:1: error"));
  EXPECT_FALSE(contains(result.output, "\n5\n"));
}

TEST_F(Run, AFailureShowsItsFirstErrorInFull) {
  const CommandResult result =
      run({"--tail", "3"},
          {"sh", "-c",
           "cat '" TORCHPKG_LOGS "/cmake-configure.log'; echo 'CMake Error: another'; exit 1"});
  EXPECT_TRUE(
      contains(result.output,
               "torchpkg: demo build failed (exit 1)\nCMake Error at third/CMakeLists.txt:5 "
               "(message):\n  Cannot find six\n1 more error is in the log\nlog: " +
                   log().string() + "\n"));
  EXPECT_FALSE(contains(result.output, "USE_FEATURE"));
}

TEST_F(Run, AWarningThatTheSourceMakesAnErrorHasARemedy) {
  const CommandResult result =
      run({}, {"sh", "-c", "cat '" TORCHPKG_LOGS "/gcc-pragma.log'; exit 1"});
  EXPECT_TRUE(contains(result.output, "control reaches end of non-void function"));
  EXPECT_TRUE(contains(
      result.output,
      "package demo treats the warning return-type as an error in /tmp/demo/unit/pragma.cpp\n"
      "remedy: add a patch that removes the pragma, or use another compiler: CXX=...\n"));
  const CommandResult of_c = run(
      {},
      {"sh", "-c", "sed 's/pragma[.]cpp/pragma.c/g' '" TORCHPKG_LOGS "/gcc-pragma.log'; exit 1"});
  EXPECT_TRUE(contains(of_c.output, "or use another compiler: CC=...\n"));
}

TEST_F(Run, WhatCannotBeStartedIsNamed) {
  const CommandResult result = run({}, {"no-such-program"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "torchpkg: no-such-program cannot be started"));
  EXPECT_EQ(torchpkg({"run", "--package", "demo"}).exit_code, 2);
  EXPECT_EQ(run({}, {}).exit_code, 2);
}

TEST_F(Run, ALogThatCannotBeWrittenIsNamed) {
  write_file(folder_ / "logs", "a file, not a folder");
  const CommandResult result = run({}, {"true"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(result.output, "logs cannot be made"));
}

// The first try of x.o kills itself as the kernel would; the second succeeds.
constexpr const char* kKilledOnce =
    "rule cc\n command = if test -e $out.seen; then touch $out; "
    "else touch $out.seen; kill -9 $$$$; fi\n"
    "rule ok\n command = touch $out\n"
    "build x.o: cc\nbuild y.o: ok\nbuild all: phony x.o y.o\ndefault all\n";

TEST_F(Run, ACompilerKilledForMemoryIsTriedAgainAlone) {
  const CommandResult result = run({"--retry-alone"}, ninja(kKilledOnce));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output,
                       "torchpkg: demo build: the compiler was killed for lack of memory: x.o; "
                       "trying it again alone"));
  EXPECT_TRUE(fs::exists(folder_ / "x.o"));
  EXPECT_TRUE(fs::exists(folder_ / "y.o"));
}

TEST_F(Run, WithoutTheOptionItIsOnlySaid) {
  const CommandResult result = run({}, ninja(kKilledOnce));
  EXPECT_NE(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "was killed for lack of memory: x.o\n"));
  EXPECT_TRUE(contains(result.output, "remedy: use fewer jobs"));
  EXPECT_FALSE(fs::exists(folder_ / "x.o"));
}

TEST_F(Run, KilledAgainAloneItSaysHowMuchMemoryThereWas) {
  const CommandResult result =
      run({"--retry-alone"},
          ninja("rule cc\n command = echo >> $out.tries; "
                "echo 'c++: fatal error: Killed signal terminated program cc1plus'; false\n"
                "build x.o: cc\n"));
  EXPECT_NE(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "GiB memory were free, and that was not enough"));
  EXPECT_EQ(file_content(folder_ / "x.o.tries"), "\n\n");
}

TEST_F(Run, ARealErrorIsNeverTriedAgain) {
  const CommandResult result = run(
      {"--retry-alone"}, ninja("rule cc\n command = echo >> $out.tries; echo 'x.c:1: error: no'; "
                               "false\nbuild x.o: cc\n"));
  EXPECT_NE(result.exit_code, 0);
  EXPECT_FALSE(contains(result.output, "memory"));
  EXPECT_EQ(file_content(folder_ / "x.o.tries"), "\n");
}

TEST_F(Run, SignalsReachTheWholeGroupAndEndIt) {
  for (const auto& [signal, code] : {std::pair{"INT", 130}, {"TERM", 143}}) {
    fs::remove(folder_ / "started");
    // The command starts another process; both must be gone afterwards.
    const std::string script =
        "\"$0\" run --package demo --phase build --log \"$1/l\" -- sh -c "
        "'sleep 300 & echo $! > \"$0/started\"; wait' \"$1\" & "
        "while [ ! -s \"$1/started\" ]; do sleep 0.02; done; kill -$2 $!; wait $!";
    const CommandResult result =
        run_command({"bash", "-c", script, TORCHPKG_PROGRAM, folder_.path().string(), signal});
    EXPECT_EQ(result.exit_code, code) << result.output;
    EXPECT_TRUE(contains(result.output, "demo build interrupted"));
    const pid_t sleeper = std::stoi(file_content(folder_ / "started"));
    for (int i = 0; i < 3000 && ::kill(sleeper, 0) == 0; ++i) ::usleep(10000);
    const std::string state = file_content("/proc/" + std::to_string(sleeper) + "/stat");
    EXPECT_TRUE(state.empty() || contains(state, ") Z ")) << state;
  }
}

TEST_F(Run, AServerLeftBehindDoesNotHoldItUp) {
  const CommandResult result =
      run({}, {"sh", "-c", "sleep 30 & echo $! > '" + (folder_ / "pid").string() + "'"});
  EXPECT_EQ(result.exit_code, 0);
  ::kill(std::stoi(file_content(folder_ / "pid")), SIGKILL);
  EXPECT_FALSE(contains(result.output, " 15s"));
}

TEST_F(Run, TimeLeftComesFromTheObservedRate) {
  using std::chrono::seconds;
  const NinjaProgress::Clock::time_point start{};
  NinjaProgress progress("demo build", {}, start);
  EXPECT_EQ(progress.text(start + seconds(3)), "demo build 3s");
  progress.see("-- Looking for x", start + seconds(3));
  EXPECT_EQ(progress.text(start + seconds(4)), "demo build 4s  -- Looking for x");
  progress.see("[100/1000] a", start + seconds(10));  // it went on where it had stopped
  progress.see("warning: whatever", start + seconds(11));
  progress.see("[200/1000] b", start + seconds(20));
  EXPECT_EQ(progress.text(start + seconds(20)), "demo build 200/1000 20%  1m20s left  b");
}

TEST_F(Run, TimeLeftComesFromNinjasPlanAndLog) {
  write_file(folder_ / "costs", "0.2 cheap*\n4 *\n");
  const CommandResult result =
      run({"--interval", "0", "--step-costs", (folder_ / "costs").string()},
          ninja("rule s\n command = sleep $t; touch $out\n"
                "build cheap1: s\n t = 0.1\nbuild cheap2: s\n t = 0.1\n"
                "build dear1: s | cheap1 cheap2\n t = 2\nbuild dear2: s | dear1\n t = 2\n"));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  // Both cheap ones are half of the steps and a twentieth of the work.
  EXPECT_TRUE(contains(result.output, "demo build 2/4 4%"));
  EXPECT_TRUE(std::regex_search(result.output, std::regex("demo build 3/4 52%  [1-9]s left")))
      << result.output;
}

TEST_F(Run, StepCostsThatAreNone) {
  for (const char* text : {"half a.o\n", "0.5\n", "0 a.o\n", "-1 a.o\n", "0.1 a.o b.o\n"}) {
    write_file(folder_ / "costs", text);
    const CommandResult result = run({"--step-costs", (folder_ / "costs").string()}, {"true"});
    EXPECT_EQ(result.exit_code, 3) << text;
    EXPECT_TRUE(contains(result.output, "costs: line 1 is not '<seconds> <pattern>': "));
    EXPECT_TRUE(contains(result.output, "tools/step_costs.py writes such lines"));
  }
  EXPECT_EQ(run({"--step-costs", (folder_ / "none").string()}, {"true"}).exit_code, 4);
}

TEST_F(Run, LogsAreUnderstood) {
  const BuildFailure mixed = analyse_build_log(
      "[1/9] ok\nFAILED: a.o \ncc a\nc++: fatal error: Killed signal terminated program cc1plus\n"
      "[2/9] cc b\nFAILED: [code=1] b.o b.d\ncc b\nb.c:1: error: no\nninja: build stopped: x\n");
  ASSERT_EQ(mixed.steps.size(), 2U);
  EXPECT_TRUE(mixed.steps[0].killed_for_memory);
  EXPECT_FALSE(mixed.steps[1].killed_for_memory);
  EXPECT_FALSE(mixed.only_memory());
  EXPECT_EQ(mixed.outputs(), (Words{"a.o", "b.o", "b.d"}));
  EXPECT_TRUE(analyse_build_log("FAILED: [code=137] a.o\ncc a\nninja: stopped\n").only_memory());
  EXPECT_FALSE(analyse_build_log("make: *** [x] Error 1\n").only_memory());
  for (const char* line : {"virtual memory exhausted: Cannot allocate memory",
                           "cc1plus: out of memory allocating 65536 bytes",
                           "clang: error: unable to execute command: Killed",
                           "collect2: fatal error: ld terminated with signal 9 [Killed]"}) {
    EXPECT_TRUE(names_lack_of_memory(line)) << line;
  }
  EXPECT_FALSE(names_lack_of_memory("Building CXX object killed.cpp.o"));
}

}  // namespace
}  // namespace torchpkg::test
