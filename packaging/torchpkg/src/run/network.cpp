// SPDX-License-Identifier: BSD-3-Clause
#include "run/network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "common/error.h"
#include "common/text.h"

namespace torchpkg {

namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 403 Only fetch uses the network\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
constexpr std::size_t kLongestRequest = std::size_t{64} * 1024;

/// 0, or errno.
int put(const char* path, std::string_view text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const ssize_t put = ::write(file, text.data(), text.size());
  const int error = put < 0 ? errno : 0;
  ::close(file);
  return error;
}

/// Compiler caches and tests talk to servers of their own at 127.0.0.1.
int raise_loopback() {
  const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return errno;
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", sizeof("lo"));
  request.ifr_flags = IFF_UP;
  const int error = ::ioctl(any, SIOCSIFFLAGS, &request) == 0 ? 0 : errno;
  ::close(any);
  return error;
}

int enter_namespace(std::string_view uid_map, std::string_view gid_map) {
  if (::unshare(CLONE_NEWNET) != 0) {
    // A user namespace of one's own holds one user. Root could not unpack files of others there.
    if (::geteuid() == 0) return errno;
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return errno;
    // Everybody stays who they are, so that files have the owner they had.
    if (const int error = put("/proc/self/setgroups", "deny"); error != 0) return error;
    if (const int error = put("/proc/self/uid_map", uid_map); error != 0) return error;
    if (const int error = put("/proc/self/gid_map", gid_map); error != 0) return error;
  }
  return raise_loopback();
}

/// The message that carries an errno and, perhaps, a socket.
struct Message {
  Message() {
    part.iov_base = &error;
    part.iov_len = sizeof(error);
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  int error = 0;
  iovec part{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
};

}  // namespace

NetworkGuard::NetworkGuard(std::string_view proxy, bool own_namespace)
    : own_namespace_(own_namespace),
      uid_map_(std::to_string(::geteuid()) + " " + std::to_string(::geteuid()) + " 1\n"),
      gid_map_(std::to_string(::getegid()) + " " + std::to_string(::getegid()) + " 1\n") {
  const std::size_t colon = std::min(proxy.find(':'), proxy.size());
  const std::string host(proxy.substr(0, colon));
  std::uint16_t port = 0;
  const char* const end = proxy.data() + proxy.size();
  const auto [rest, error] = std::from_chars(std::min(proxy.data() + colon + 1, end), end, port);
  if (::inet_pton(AF_INET, host.c_str(), &address_.sin_addr) != 1 || error != std::errc() ||
      rest != end || port == 0) {
    throw Error(ExitCode::kUsage, "'" + std::string(proxy) + "' is not an address and a port",
                "give one like 127.1.2.3:20001");
  }
  address_.sin_family = AF_INET;
  address_.sin_port = htons(port);
}

bool NetworkGuard::enter(int channel) const {
  Message message;
  if (own_namespace_) message.error = enter_namespace(uid_map_, gid_map_);
  int listener = -1;
  if (message.error == 0) {
    const int on = 1;
    listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address_), sizeof(address_)) != 0 ||
        ::listen(listener, 64) != 0) {
      message.error = errno;
      ::close(listener);
      listener = -1;
    }
  }
  if (listener >= 0) {
    cmsghdr* const header = CMSG_FIRSTHDR(&message.header);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &listener, sizeof(int));
  } else {
    message.header.msg_control = nullptr;
    message.header.msg_controllen = 0;
  }
  const bool sent = ::sendmsg(channel, &message.header, MSG_NOSIGNAL) >= 0;
  return sent && message.error == 0;
}

int NetworkGuard::receive(const FileDescriptor& channel) {
  Message message;
  ssize_t got = 0;
  do {
    got = ::recvmsg(channel.get(), &message.header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  socket_.close();
  if (got < 0) return errno;
  if (got == 0) return ECHILD;  // it died
  const cmsghdr* const header = CMSG_FIRSTHDR(&message.header);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    int listener = -1;
    std::memcpy(&listener, CMSG_DATA(header), sizeof(int));
    socket_ = FileDescriptor(listener);
  }
  return message.error;
}

std::string NetworkGuard::address() const {
  std::array<char, INET_ADDRSTRLEN> host{};
  ::inet_ntop(AF_INET, &address_.sin_addr, host.data(), host.size());
  return std::string(host.data()) + ":" + std::to_string(ntohs(address_.sin_port));
}

std::string NetworkGuard::refuse() const {
  const FileDescriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!client.valid()) return {};
  const timeval patience{1, 0};  // the command waits for us meanwhile
  ::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  ::setsockopt(client.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  std::string request;
  std::array<char, 4096> buffer{};
  // To the end of its headers: closing earlier would reset the connection, and the answer with it.
  while (request.find("\r\n\r\n") == std::string::npos && request.size() < kLongestRequest) {
    const ssize_t got = ::recv(client.get(), buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    request.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::send(client.get(), kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
  ::shutdown(client.get(), SHUT_WR);
  return requested(std::string_view(request).substr(0, request.find("\r\n")));
}

std::string requested(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return "something that is not HTTP";
  const std::string_view method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, second - first - 1);
  if (method != "CONNECT") return printable(target);
  if (target.ends_with(":443")) target.remove_suffix(4);
  return "https://" + printable(target);
}

}  // namespace torchpkg
