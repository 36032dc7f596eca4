// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchpkg {

/// A command that runs Ninja: `[env...] ninja [-C <folder>] [-j <jobs>] [<target>...]`.
struct NinjaCommand {
  std::vector<std::string> words;
  std::size_t ninja = 0;  ///< which word is the program
  std::filesystem::path folder = ".";
  unsigned jobs = 0;  ///< as many as processors unless it says

  /// The command that makes nothing but `outputs`, one step at a time.
  [[nodiscard]] std::vector<std::string> alone(const std::vector<std::string>& outputs) const;
};

/// Nothing when the command is of another kind.
std::optional<NinjaCommand> ninja_command(const std::vector<std::string>& command);

/// Ninja's descriptions of the steps that the command would do, in its order, as Ninja's own dry
/// run tells them. Empty when it cannot tell, as before build.ninja has been made again.
std::vector<std::string> planned_steps(const NinjaCommand& command);

/// Reads what is added to a build folder's .ninja_log, which Ninja writes line by line.
class NinjaLog {
 public:
  /// What the log has at this moment is of earlier runs.
  explicit NinjaLog(const std::filesystem::path& folder);

  /// Calls `on_step` for each step that was added since the last call.
  void read(const std::function<void(const std::string& output, double seconds)>& on_step);

 private:
  std::filesystem::path file_;
  std::uintmax_t read_ = 0;
};

}  // namespace torchpkg
