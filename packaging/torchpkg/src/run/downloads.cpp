// SPDX-License-Identifier: BSD-3-Clause
#include "run/downloads.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/text.h"

namespace torchpkg {

namespace {

/// After these words stands what was asked for, up to `end` or to the end of the line.
struct Pattern {
  std::string_view words;
  char end = '\n';
  std::string_view label = {};  ///< in front of it
  bool by_git = false;
};

constexpr std::array kPatterns = {
    Pattern{kRefusedDownload},
    Pattern{"error: downloading '", '\''},  // CMake's ExternalProject, as the next
    Pattern{"Failed to clone repository: '", '\'', {}, true},
    Pattern{"fatal: clone of '", '\'', {}, true},  // a submodule
    // No package finds a git that it does not declare.
    Pattern{"could not find git for clone of ", '\n', "a git repository for "},
    Pattern{"No matching distribution found for "},
    Pattern{"Could not resolve host: "},
};

/// Said by programs that ask no proxy. What they ask for they do not say.
constexpr std::array<std::string_view, 4> kNoNetwork = {
    "Temporary failure in name resolution", "Name or service not known", "Network is unreachable",
    "unable to resolve host address"};

constexpr std::string_view kTransport = "transport '";
constexpr std::string_view kCloning = "Cloning into '";

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// git names no address when it may not use a protocol: `transport 'https' not allowed`.
std::string git_request(std::string_view line, std::string_view before) {
  const std::size_t at = line.find(kTransport);
  if (at == std::string_view::npos || !contains(line.substr(at), "' not allowed")) return {};
  std::string_view transport = line.substr(at + kTransport.size());
  transport = transport.substr(0, transport.find('\''));
  std::string what = "a git repository by " + printable(transport);
  if (before.starts_with(kCloning)) {
    before.remove_prefix(kCloning.size());
    what += " for " + printable(before.substr(0, before.find('\'')));
  }
  return what;
}

std::string request(std::string_view line, bool& by_git) {
  for (const Pattern& pattern : kPatterns) {
    const std::size_t at = line.find(pattern.words);
    if (at == std::string_view::npos) continue;
    by_git = pattern.by_git;
    const std::string_view rest = line.substr(at + pattern.words.size());
    return std::string(pattern.label) + printable(trimmed(rest.substr(0, rest.find(pattern.end))));
  }
  const bool none = std::any_of(kNoNetwork.begin(), kNoNetwork.end(),
                                [line](std::string_view words) { return contains(line, words); });
  return none ? printable(trimmed(line)) : std::string();
}

}  // namespace

std::vector<Download> downloads_in(std::string_view log) {
  std::vector<Download> downloads;
  std::vector<Download> by_git;  // until a line tells the address
  const auto add = [](std::vector<Download>& list, Download download) {
    const bool known = std::any_of(list.begin(), list.end(), [&](const Download& other) {
      return other.what == download.what;
    });
    if (!known) list.push_back(std::move(download));
  };
  std::string_view before;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    if (std::string what = git_request(line, before); !what.empty()) {
      add(by_git, {std::move(what), line});
    } else if (bool address = false; !(what = request(line, address)).empty()) {
      if (address) by_git.clear();
      add(downloads, {std::move(what), line});
    }
    before = line;
  }
  for (Download& download : by_git) add(downloads, std::move(download));
  // The proxy sees the host only where the log, later, has the whole address.
  const std::vector<Download> all = downloads;
  std::erase_if(downloads, [&](const Download& host) {
    return std::any_of(all.begin(), all.end(), [&](const Download& other) {
      return other.what.starts_with(host.what + "/");
    });
  });
  return downloads;
}

}  // namespace torchpkg
