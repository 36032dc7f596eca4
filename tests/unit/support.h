// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.h"
#include "common/process.h"

namespace torchpkg::test {

namespace fs = std::filesystem;

/// A folder of its own, with a space in its name, that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }
  fs::path operator/(const fs::path& name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// Writes a file and makes its folders.
void write_file(const fs::path& path, std::string_view content);

/// A file's whole content.
std::string file_content(const fs::path& path);

/// `size` bytes that a compressor can do something with, always the same for one seed.
std::string sample_bytes(std::size_t size, unsigned seed);

/// Runs the torchpkg program.
CommandResult torchpkg(std::vector<std::string> arguments);

/// Compiles C++ text into `output`; fails the test when the compiler does.
void compile(const std::string& source, const fs::path& output,
             const std::vector<std::string>& flags);

/// The same for a shared library whose SONAME is its file name.
void compile_shared(const std::string& source, const fs::path& output,
                    std::vector<std::string> flags = {});

/// Takes the section headers away from a 64-bit ELF file, as some tools do.
void strip_section_headers(const fs::path& file);

/// Runs a command, which must succeed.
void must_run(const std::vector<std::string>& command);

/// Whether a text has this part, or begins so; the message shows the text.
testing::AssertionResult contains(std::string_view text, std::string_view part);
testing::AssertionResult begins_with(std::string_view text, std::string_view part);

/// Name, kind, executable bit and content of everything below a folder.
std::map<std::string, std::string> snapshot(const fs::path& folder);

/// What `action` throws as Error; fails the test when it does not throw.
template <typename Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return {ExitCode::kGood, "nothing was thrown"};
}

}  // namespace torchpkg::test
