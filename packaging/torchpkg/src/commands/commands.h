// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace CLI {
class App;
}

namespace torchpkg {

// Each describes a sub-command with its options; `exit_code` is what the command ends with.

void add_pack(CLI::App& app);
void add_scan(CLI::App& app);
void add_archive(CLI::App& app);
void add_slice(CLI::App& app);
void add_check(CLI::App& app, int& exit_code);

}  // namespace torchpkg
