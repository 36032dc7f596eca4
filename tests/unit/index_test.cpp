// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "index/escape.h"
#include "support.h"
#include "wheel/metadata.h"

namespace torchpkg::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kWheel = "demo_package-1.0+cpu-py3-none-any.whl";

/// Serves a folder on a port of its own while a command runs: serve.py FOLDER COMMAND...; `URL`
/// in the command becomes the server's address. Prints what was asked for after the command.
constexpr const char* kServe = R"(
import functools, http.server, subprocess, sys, threading
asked = []
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, text, *arguments):
        asked.append(self.path)
handler = functools.partial(Handler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = 'http://127.0.0.1:%d' % server.server_port
code = subprocess.run([word.replace('URL', url) for word in sys.argv[2:]]).returncode
print('asked for', *asked)
sys.exit(code)
)";

class Index : public testing::Test {
 protected:
  [[nodiscard]] fs::path dist() const { return folder_ / "dist"; }

  void add_wheel(const std::string& name, const std::string& version) {
    const std::string stem = name + "-" + version;
    const fs::path root = folder_ / ("root of " + stem);
    write_file(root / (stem + ".dist-info/METADATA"), "Metadata-Version: 2.1\nName: " + name +
                                                          "\nVersion: " + version +
                                                          "\nRequires-Python: >=3.8,<4\n\ntext\n");
    write_file(root / (name + ".py"), "answer = 42\n");
    const CommandResult result = torchpkg(
        {"pack", "wheel", "--root", root.string(), "--output", dist().string(), "--quiet"});
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }

  void make_index() {
    const CommandResult result = torchpkg({"index", dist().string()});
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }

  CommandResult serve(std::vector<std::string> command) {
    command.insert(command.begin(), {"python3", "-c", kServe, dist().string()});
    return run_command(command);
  }

  TemporaryFolder folder_;
};

TEST_F(Index, PipInstallsFromIt) {
  add_wheel("demo_package", "1.0+cpu");
  add_wheel("demo_package", "0.9");
  make_index();
  const std::string target = (folder_ / "site").string();
  const CommandResult pip =
      serve({"python3", "-m", "pip", "install", "--isolated", "--no-cache-dir", "--no-compile",
             "--index-url", "URL/simple", "--target", target, "Demo.Package"});
  EXPECT_EQ(pip.exit_code, 0) << pip.output;
  EXPECT_NE(pip.output.find("/simple/demo-package/"), std::string::npos) << pip.output;
  // Since 23.2 pip reads METADATA without the wheel first.
  const CommandResult version = run_command(
      {"python3", "-c",
       "import pip; print(tuple(map(int, pip.__version__.split('.')[:2])) >= (23, 2))"});
  EXPECT_EQ(
      pip.output.find("demo_package-1.0%2Bcpu-py3-none-any.whl.metadata") != std::string::npos,
      version.output == "True\n")
      << pip.output;
  EXPECT_TRUE(fs::exists(folder_ / "site/demo_package.py"));
}

TEST_F(Index, PipRefusesAWheelThatWasChanged) {
  add_wheel("demo_package", "1.0+cpu");
  make_index();
  write_file(dist() / kWheel, file_content(dist() / kWheel) + "x");
  const CommandResult pip =
      serve({"python3", "-m", "pip", "install", "--isolated", "--no-cache-dir", "--index-url",
             "URL/simple", "--target", (folder_ / "site").string(), "demo-package"});
  EXPECT_NE(pip.exit_code, 0);
  EXPECT_NE(pip.output.find("HASHES"), std::string::npos) << pip.output;
}

TEST_F(Index, PagesSayWhatInstallersWantToKnow) {
  add_wheel("demo_package", "1.0+cpu");
  write_file(dist() / "libtorch-2.6.0+cpu.zip", "a zip");
  make_index();
  const Json root = Json::parse(file_content(dist() / "simple/index.json"));
  EXPECT_EQ(root["projects"], Json::parse(R"([{"name": "demo-package"}])"));
  const Json project = Json::parse(file_content(dist() / "simple/demo-package/index.json"));
  EXPECT_EQ(project["versions"], Json::parse(R"(["1.0+cpu"])"));
  const Json& file = project["files"][0];
  EXPECT_EQ(file["filename"], kWheel);
  EXPECT_EQ(file["url"], "../../demo_package-1.0%2Bcpu-py3-none-any.whl");
  EXPECT_EQ(file["size"], fs::file_size(dist() / kWheel));
  EXPECT_EQ(file["requires-python"], ">=3.8,<4");
  const std::string html = file_content(dist() / "simple/demo-package/index.html");
  EXPECT_NE(html.find("data-requires-python=\"&gt;=3.8,&lt;4\""), std::string::npos) << html;
  const std::string hash = file["core-metadata"]["sha256"].get<std::string>();
  EXPECT_NE(html.find("data-core-metadata=\"sha256=" + hash + "\""), std::string::npos) << html;
  EXPECT_NE(html.find("#sha256=" + file["hashes"]["sha256"].get<std::string>()), std::string::npos);
  EXPECT_NE(file_content(dist() / "index.html").find("libtorch-2.6.0%2Bcpu.zip"),
            std::string::npos);
  const CommandResult sums =
      run_command({"env", "-C", dist().string(), "sha256sum", "--check", "--strict", "SHA256SUMS"});
  EXPECT_EQ(sums.exit_code, 0) << sums.output;
  EXPECT_EQ(run_command({"sha256sum", (dist() / (std::string(kWheel) + ".metadata")).string()})
                .output.substr(0, 64),
            hash);
}

TEST_F(Index, ASecondRunChangesNothingAndWhatIsGoneIsForgotten) {
  add_wheel("demo_package", "1.0+cpu");
  add_wheel("other", "2");
  make_index();
  const auto first = snapshot(dist());
  make_index();
  EXPECT_EQ(snapshot(dist()), first);
  fs::remove(dist() / "other-2-py3-none-any.whl");
  write_file(dist() / "simple/of somebody else/file.txt", "stays\n");
  make_index();
  EXPECT_FALSE(fs::exists(dist() / "simple/other"));
  EXPECT_FALSE(fs::exists(dist() / "other-2-py3-none-any.whl.metadata"));
  EXPECT_TRUE(fs::exists(dist() / "simple/of somebody else/file.txt"));
  EXPECT_EQ(file_content(dist() / "simple/index.html").find("other"), std::string::npos);
}

TEST_F(Index, AnEmptyFolderIsAnEmptyIndex) {
  fs::create_directories(dist());
  make_index();
  EXPECT_EQ(Json::parse(file_content(dist() / "simple/index.json"))["projects"], Json::array());
  EXPECT_EQ(file_content(dist() / "SHA256SUMS"), "");
}

TEST_F(Index, BadWheelsAreNamed) {
  add_wheel("demo_package", "1.0+cpu");
  const auto refused = [this](const std::string& words) {
    const CommandResult result = torchpkg({"index", dist().string()});
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
    EXPECT_FALSE(fs::exists(dist() / "simple"));
  };
  fs::copy_file(dist() / kWheel, dist() / "demo_package-1.1-py3-none-any.whl");
  refused(
      "demo_package-1.1-py3-none-any.whl has another name than its METADATA says: demo_package "
      "1.0+cpu");
  fs::remove(dist() / "demo_package-1.1-py3-none-any.whl");
  const std::string good = file_content(dist() / kWheel);
  write_file(dist() / kWheel, good.substr(0, good.size() / 2));
  refused(std::string(kWheel) + " is damaged: ");
  fs::remove(dist() / kWheel);
  ASSERT_EQ(torchpkg({"pack", "zip", "--root", (folder_ / "root of demo_package-1.0+cpu").string(),
                      "--output", (dist() / kWheel).string(), "--quiet"})
                .exit_code,
            0);
  refused(std::string(kWheel) + " has no METADATA");
}

TEST_F(Index, AFolderThatIsNotThere) {
  const CommandResult result = torchpkg({"index", (folder_ / "none").string()});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.output.find("none cannot be listed"), std::string::npos) << result.output;
}

TEST(IndexText, Escapes) {
  EXPECT_EQ(index::html("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(index::url("torch-2.6.0+cpu ä.whl"), "torch-2.6.0%2Bcpu%20%C3%A4.whl");
  EXPECT_EQ(wheel::index_name_of("My._Project"), "my-project");
  EXPECT_EQ(wheel::metadata_field("Name: a\r\nName-2: b\n\nVersion: 1\n", "Version"), "");
}

}  // namespace
}  // namespace torchpkg::test
