// SPDX-License-Identifier: BSD-3-Clause
#include "support.h"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>

namespace torchpkg::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "torchpkg test XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw system_error(name, errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

void write_file(const fs::path& path, std::string_view content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string file_content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string content;
  // Not byte by byte, which takes seconds without optimisation.
  std::vector<char> block(std::size_t{1} << 20U);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    content.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  return content;
}

std::string sample_bytes(std::size_t size, unsigned seed) {
  std::minstd_rand random(seed);
  std::string bytes;
  while (bytes.size() < size) {
    const auto number = random();
    // Runs, words and noise, so that stored, fixed and dynamic blocks all come up.
    if (number % 7 == 0) bytes.append(number % 1000, static_cast<char>(number >> 8U));
    if (number % 3 == 0) bytes += "the quick brown fox " + std::to_string(number % 100);
    bytes += static_cast<char>(number >> 16U);
  }
  bytes.resize(size);
  return bytes;
}

CommandResult torchpkg(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), TORCHPKG_PROGRAM);
  return run_command(arguments);
}

void compile(const std::string& source, const fs::path& output,
             const std::vector<std::string>& flags) {
  const fs::path file = output.string() + ".cpp";
  write_file(file, source);
  std::vector<std::string> command{TORCHPKG_CXX, "-O1", file.string(), "-o", output.string()};
  command.insert(command.end(), flags.begin(), flags.end());
  must_run(command);
  fs::remove(file);
}

void compile_shared(const std::string& source, const fs::path& output,
                    std::vector<std::string> flags) {
  flags.insert(flags.end(), {"-shared", "-fPIC", "-Wl,-soname," + output.filename().string()});
  compile(source, output, flags);
}

void strip_section_headers(const fs::path& file) {
  std::string bytes = file_content(file);
  bytes.replace(40, 8, 8, '\0');  // e_shoff
  bytes.replace(58, 6, 6, '\0');  // e_shentsize, e_shnum, e_shstrndx
  write_file(file, bytes);
}

void must_run(const std::vector<std::string>& command) {
  const CommandResult result = run_command(command);
  ASSERT_EQ(result.exit_code, 0) << result.output;
}

testing::AssertionResult contains(std::string_view text, std::string_view part) {
  return testing::AssertionResult(text.find(part) != std::string_view::npos)
         << "'" << part << "' in the text: " << text;
}

testing::AssertionResult begins_with(std::string_view text, std::string_view part) {
  return testing::AssertionResult(text.starts_with(part))
         << "'" << part << "' at the beginning of the text: " << text;
}

std::map<std::string, std::string> snapshot(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      all[name] = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_directory()) {
      all[name] = "folder";
    } else {
      const bool executable =
          (entry.status().permissions() & fs::perms::owner_exec) != fs::perms::none;
      all[name] = (executable ? "x " : "- ") + file_content(entry.path());
    }
  }
  return all;
}

}  // namespace torchpkg::test
