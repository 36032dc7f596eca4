// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <netinet/in.h>

#include <string>
#include <string_view>

#include "common/file.h"

namespace torchpkg {

/// What keeps a command from downloading: an empty network namespace, where the machine allows one,
/// and a proxy that refuses every request and names what was asked for. The proxy listens where the
/// command's `http_proxy` points to; without a namespace it is the only guard.
class NetworkGuard {
 public:
  /// No guard: the command has the network.
  NetworkGuard() = default;

  /// `proxy`: the proxy's address, `127.1.2.3:20001`. `own_namespace`: whether to try for one.
  /// Error: kUsage when `proxy` is not an address and a port.
  NetworkGuard(std::string_view proxy, bool own_namespace);

  [[nodiscard]] bool active() const { return address_.sin_port != 0; }
  [[nodiscard]] bool own_namespace() const { return own_namespace_; }

  /// In the child, between fork() and exec(): enters the namespace, opens the proxy's socket and
  /// sends it through `channel`, with errno when there is no namespace for us or something else
  /// listens there; then this process is good for nothing more. Only async-signal-safe calls.
  [[nodiscard]] bool enter(int channel) const;

  /// In the parent: takes what enter() has sent. Returns its errno, 0 on success.
  int receive(const FileDescriptor& channel);

  /// For the next try: the machine allows no namespace.
  void give_up_namespace() { own_namespace_ = false; }

  /// The proxy's address, as it was given.
  [[nodiscard]] std::string address() const;

  /// The proxy's socket, for poll(); -1 without a guard.
  [[nodiscard]] int socket() const { return socket_.get(); }

  /// Refuses the request that waits at the socket. Returns what it asked for: a URL, or
  /// `https://host` of one that is encrypted.
  [[nodiscard]] std::string refuse() const;

 private:
  sockaddr_in address_{};
  bool own_namespace_ = false;
  std::string uid_map_;
  std::string gid_map_;
  FileDescriptor socket_;
};

/// What the first line of a request to a proxy asks for; see NetworkGuard::refuse().
std::string requested(std::string_view line);

}  // namespace torchpkg
