// SPDX-License-Identifier: BSD-3-Clause
#include "run/network.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

#include "common/file.h"
#include "run/downloads.h"
#include "support.h"

namespace torchpkg::test {
namespace {

using Words = std::vector<std::string>;

/// A server of this machine that would take every connection.
class Server {
 public:
  Server() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_.get(), generic, size), 0);
    EXPECT_EQ(::listen(socket_.get(), 8), 0);
    EXPECT_EQ(::getsockname(socket_.get(), generic, &size), 0);
    port_ = std::to_string(ntohs(address.sin_port));
  }
  [[nodiscard]] const std::string& port() const { return port_; }

 private:
  FileDescriptor socket_;
  std::string port_;
};

/// `torchpkg run --no-network` in a folder of its own.
class Network : public testing::Test {
 protected:
  CommandResult run(const Words& options, const Words& command) {
    Words all{"run",   "--package",    "demo",         "--phase", "build",
              "--log", log().string(), "--no-network", proxy_};
    all.insert(all.end(), options.begin(), options.end());
    all.emplace_back("--");
    all.insert(all.end(), command.begin(), command.end());
    return torchpkg(all);
  }

  [[nodiscard]] fs::path log() const { return folder_ / "build.log"; }
  [[nodiscard]] bool namespaces() {
    return contains(file_content(log()), "a namespace of its own");
  }

  /// What connects past any proxy.
  [[nodiscard]] Words connect() const {
    return {"bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + server_.port()};
  }

  /// Asks the proxy, as curl and others do.
  [[nodiscard]] Words ask(const std::string& line) const {
    return {"bash", "-c",
            "exec 3<>/dev/tcp/${0/:/\\/} && printf '%s\\r\\nHost: x\\r\\n\\r\\n' \"$1\" >&3 && "
            "cat <&3; exit 22",
            proxy_, line};
  }

  TemporaryFolder folder_;
  Server server_;
  // For this process only: several may be tested at once.
  const std::string proxy_ = "127." + std::to_string(::getpid() / 65536 % 255) + "." +
                             std::to_string(::getpid() / 256 % 256) + "." +
                             std::to_string(::getpid() % 256) + ":20001";
};

TEST_F(Network, ANamespaceHasNothingButItself) {
  ASSERT_EQ(torchpkg([&] {
              Words all{"run",   "--package", "demo",         "--phase",
                        "build", "--log",     log().string(), "--"};
              const Words command = connect();
              all.insert(all.end(), command.begin(), command.end());
              return all;
            }())
                .exit_code,
            0)
      << "the server answers";
  const CommandResult result = run({}, connect());
  if (!namespaces()) GTEST_SKIP() << "no namespace here: " << file_content(log());
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(run({}, {"sh", "-c", "test $(tail -n +3 /proc/net/dev | wc -l) = 1"}).exit_code, 0);
  // Its own 127.0.0.1 works.
  EXPECT_EQ(run({}, {"python3", "-c",
                     "import socket; s = socket.create_server(('127.0.0.1', 0)); "
                     "socket.create_connection(s.getsockname())"})
                .exit_code,
            0)
      << file_content(log());
}

TEST_F(Network, EverybodyStaysWhoTheyAre) {
  write_file(folder_ / "before", "");
  const std::string script =
      "id -u; id -g; touch \"$0/during\"; stat -c %u:%g \"$0/before\" \"$0/during\"; "
      "grep CapEff /proc/self/status";
  const CommandResult outside = run_command({"sh", "-c", script, folder_.path().string()});
  EXPECT_EQ(run({}, {"sh", "-c", script, folder_.path().string()}).exit_code, 0);
  EXPECT_TRUE(contains(file_content(log()), outside.output))
      << outside.output << file_content(log());
}

TEST_F(Network, WhatIsAskedForIsRefusedAndNamed) {
  for (const Words& options : {Words{}, Words{"--host-namespace"}}) {
    const auto started = std::chrono::steady_clock::now();
    const CommandResult result = run(options, ask("CONNECT example.org:443 HTTP/1.1"));
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(30));
    EXPECT_EQ(result.exit_code, 22);
    EXPECT_TRUE(contains(file_content(log()), "HTTP/1.1 403 "));
    EXPECT_TRUE(contains(
        result.output, "torchpkg: demo build failed (exit 22)\nlog: " + log().string() +
                           "\ntorchpkg: demo build tried to download, but only fetch uses the "
                           "network: https://example.org\nremedy: pin what it wants, or switch it "
                           "off: docs/adding-a-package.md#it-wants-to-download\n"));
    EXPECT_EQ(contains(file_content(log()), "a proxy that refuses downloads, no namespace"),
              !namespaces());
  }
  EXPECT_FALSE(namespaces()) << "it was told so";
}

TEST_F(Network, AMachineThatAllowsNoNamespaceHasTheProxy) {
  // In a user namespace of its own, where a limit may be set.
  const std::string forbid = "echo 0 >/proc/sys/user/max_net_namespaces && ";
  if (run_command({"unshare", "-r", "sh", "-c", forbid + "true"}).exit_code != 0) {
    GTEST_SKIP() << "no user namespace here";
  }
  const CommandResult result = run_command(
      {"unshare",
       "-r",
       "sh",
       "-c",
       forbid + "exec \"$0\" \"$@\"",
       TORCHPKG_PROGRAM,
       "run",
       "--package",
       "demo",
       "--phase",
       "build",
       "--log",
       log().string(),
       "--no-network",
       proxy_,
       "--",
       "env",
       "http_proxy=http://" + proxy_,
       "python3",
       "-c",
       "import urllib.request; urllib.request.urlopen('http://127.0.0.1:" + server_.port() +
           "/')"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(file_content(log()), "torchpkg: no network namespace for this user: "));
  EXPECT_TRUE(contains(result.output, "only fetch uses the network: http://127.0.0.1:"));
}

TEST_F(Network, AFailureLongAfterADownloadIsShownToo) {
  Words command = ask("GET http://example.org/a.tar HTTP/1.1");
  command[2] = command[2].substr(0, command[2].rfind(';')) + "; seq 100; echo the reason; exit 1";
  const CommandResult result = run({}, command);
  EXPECT_TRUE(contains(result.output, "\nthe reason\n"));
  EXPECT_TRUE(contains(result.output, "only fetch uses the network: http://example.org/a.tar\n"));
}

TEST_F(Network, WhatWentOnWithoutItsDownloadSaysSo) {
  Words command = ask("GET http://example.org/a.tar HTTP/1.1");
  command[2] = command[2].substr(0, command[2].rfind(';'));
  const CommandResult result = run({}, command);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output,
                       "torchpkg: demo build tried to download and continued without: "
                       "http://example.org/a.tar\nremedy: pin what it wants"));
}

// Squid listens at all addresses of the machine, and would fetch what this proxy is to refuse.
TEST_F(Network, AnotherListenerAtTheProxysAddressIsAnError) {
  const std::string taken = "127.0.0.1:" + server_.port();
  const CommandResult result = torchpkg({"run", "--package", "demo", "--phase", "build", "--log",
                                         log().string(), "--no-network", taken, "--host-namespace",
                                         "--", "touch", (folder_ / "ran").string()});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_TRUE(contains(result.output, "cannot listen at " + taken + ": Address already in use"));
  EXPECT_TRUE(contains(result.output, "end the program that listens at that port"));
  EXPECT_FALSE(fs::exists(folder_ / "ran"));
}

TEST_F(Network, AddressesThatAreNone) {
  for (const char* address : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
                              "localhost:20001", "127.0.0.1:20x", ":20001"}) {
    const Error error = error_of([&] { NetworkGuard(address, true); });
    EXPECT_EQ(error.code(), ExitCode::kUsage) << address;
    EXPECT_TRUE(contains(error.what(), "is not an address and a port"));
  }
}

TEST_F(Network, Requests) {
  EXPECT_EQ(requested("CONNECT github.com:443 HTTP/1.1"), "https://github.com");
  EXPECT_EQ(requested("CONNECT github.com:8443 HTTP/1.1"), "https://github.com:8443");
  EXPECT_EQ(requested("GET http://a.org/b?c=d HTTP/1.0"), "http://a.org/b?c=d");
  for (const char* line : {"", "GET", "\x16\x03\x01", "GET http://a.org"}) {
    EXPECT_EQ(requested(line), "something that is not HTTP") << line;
  }
  EXPECT_EQ(requested("GET http://a\033[2J HTTP/1.1"), "http://a\\x1b[2J");
}

TEST_F(Network, DownloadsInALog) {
  const auto wanted = [](std::string_view log) {
    Words names;
    for (const Download& download : downloads_in(log)) names.push_back(download.what);
    return names;
  };
  EXPECT_EQ(wanted("-- Found x\n[1/2] Building CXX object a.o\nx.c:1: error: no\n"), Words());
  EXPECT_EQ(
      wanted("torchpkg: refused a download: http://a\n-- b\n"
             "torchpkg: refused a download: http://a\ntorchpkg: refused a download: http://c"),
      (Words{"http://a", "http://c"}));
  EXPECT_EQ(wanted("torchpkg: refused a download: https://a.org\n"
                   "torchpkg: refused a download: https://a.or\n"
                   "    error: downloading 'https://a.org/six.tar.gz' failed\n"),
            (Words{"https://a.or", "https://a.org/six.tar.gz"}));
  // git, alone and under ExternalProject and with submodules.
  EXPECT_EQ(wanted("Cloning into 'six'...\nfatal: transport 'https' not allowed\n"),
            (Words{"a git repository by https for six"}));
  EXPECT_EQ(wanted("fatal: transport 'ssh' not allowed\n"), (Words{"a git repository by ssh"}));
  EXPECT_EQ(wanted("Cloning into 'six'...\nfatal: transport 'https' not allowed\n"
                   "CMake Error at six-gitclone.cmake:39 (message):\n"
                   "  Failed to clone repository: 'https://a.org/six'\n"),
            (Words{"https://a.org/six"}));
  EXPECT_EQ(wanted("Cloning into '/b/six'...\nfatal: transport 'https' not allowed\n"
                   "fatal: clone of 'https://a.org/six' into submodule path '/b/six' failed\n"),
            (Words{"https://a.org/six"}));
  EXPECT_EQ(
      wanted("ERROR: Could not find a version that satisfies the requirement six==1.11.0 "
             "(from versions: none)\nERROR: No matching distribution found for six==1.11.0\n"),
      (Words{"six==1.11.0"}));
  EXPECT_EQ(wanted("curl: (6) Could not resolve host: example.org\n"), (Words{"example.org"}));
  EXPECT_EQ(wanted("  socket.gaierror: [Errno -3] Temporary failure in name resolution\n"),
            (Words{"socket.gaierror: [Errno -3] Temporary failure in name resolution"}));
}

}  // namespace
}  // namespace torchpkg::test
