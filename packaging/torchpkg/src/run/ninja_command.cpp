// SPDX-License-Identifier: BSD-3-Clause
#include "run/ninja_command.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "common/process.h"
#include "common/text.h"
#include "run/ninja_progress.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

bool is_ninja(const std::string& word) {
  const std::string name = fs::path(word).filename();
  return name == "ninja" || name == "ninja-build" || name == "samu";
}

}  // namespace

std::vector<std::string> NinjaCommand::alone(const std::vector<std::string>& outputs) const {
  std::vector<std::string> command(words.begin(),
                                   words.begin() + static_cast<std::ptrdiff_t>(ninja) + 1);
  command.insert(command.end(), {"-C", folder.string(), "-j1"});
  command.insert(command.end(), outputs.begin(), outputs.end());
  return command;
}

std::optional<NinjaCommand> ninja_command(const std::vector<std::string>& command) {
  const auto ninja = std::find_if(command.begin(), command.end(), is_ninja);
  if (ninja == command.end()) return std::nullopt;
  NinjaCommand result;
  result.words = command;
  result.ninja = static_cast<std::size_t>(ninja - command.begin());
  result.jobs = std::max(std::thread::hardware_concurrency(), 1U);
  for (std::size_t i = result.ninja + 1; i < command.size(); ++i) {
    for (const std::string_view option : {"-C", "-j"}) {
      if (!command[i].starts_with(option)) continue;
      std::string value = command[i].substr(option.size());
      if (value.empty() && i + 1 < command.size()) value = command[++i];
      if (option == "-C") {
        result.folder = value;
      } else {
        std::from_chars(value.data(), value.data() + value.size(), result.jobs);
      }
      break;
    }
  }
  return result;
}

std::vector<std::string> planned_steps(const NinjaCommand& command) {
  std::vector<std::string> words = command.words;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(command.ninja) + 1, "-n");
  std::vector<std::string> steps;
  const CommandResult result = run_command(words);
  if (result.exit_code != 0) return steps;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto status = parse_ninja_status(line)) steps.emplace_back(status->what);
  }
  return steps;
}

NinjaLog::NinjaLog(const fs::path& folder) : file_(folder / ".ninja_log") {
  std::error_code none;
  read_ = fs::file_size(file_, none);
  if (none) read_ = 0;
}

void NinjaLog::read(const std::function<void(const std::string&, double)>& on_step) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file_, none);
  if (none || size == read_) return;
  if (size < read_) {  // Ninja has just written it anew, without what no longer counts
    read_ = size;
    return;
  }
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  for (std::string line; std::getline(file, line) && !file.eof();) {
    read_ += line.size() + 1;
    // start and end in milliseconds, time stamp, output, hash of the command
    const std::vector<std::string> words = split(line, '\t');
    if (words.size() != 5 || line.front() == '#') continue;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::from_chars(words[0].data(), words[0].data() + words[0].size(), start);
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), end);
    on_step(words[3], static_cast<double>(end - start) / 1000);
  }
}

}  // namespace torchpkg
