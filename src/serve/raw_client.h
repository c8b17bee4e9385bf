#pragma once
// A client that sends exactly the bytes it is given, for what a proper one would never send: the
// security self-test and the tests of the service use it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace flyball::serve {

struct RawAnswer {
  int status = 0;  ///< 0: the server closed without an answer
  std::string head, body;

  /// Value of a field, name as the server writes it; "" when there is none.
  [[nodiscard]] std::string field(std::string_view name) const {
    const std::string wanted = "\r\n" + std::string(name) + ": ";
    const auto at = head.find(wanted);
    if (at == std::string::npos) return {};
    const auto from = at + wanted.size();
    return head.substr(from, head.find("\r\n", from) - from);
  }
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      throw std::runtime_error("cannot connect to port " + std::to_string(port));
  }
  ~RawClient() { ::close(fd_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  [[nodiscard]] int descriptor() const { return fd_; }

  /// False when the peer does not take it any more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  /// One answer with as many bytes as its Content-Length says; none follow an answer to HEAD.
  RawAnswer answer(std::chrono::milliseconds patience = std::chrono::seconds(20),
                   bool to_head = false) {
    RawAnswer out;
    while (text_.find("\r\n\r\n") == std::string::npos) {
      if (!more(patience)) return out;
    }
    const auto end = text_.find("\r\n\r\n") + 4;
    out.head = text_.substr(0, end);
    text_.erase(0, end);
    out.status = std::atoi(out.head.c_str() + 9);
    const std::string length = out.field("Content-Length");
    if (!length.empty() && !to_head) {
      const auto size = static_cast<std::size_t>(std::atoll(length.c_str()));
      while (text_.size() < size && more(patience)) {
      }
      out.body = text_.substr(0, size);
      text_.erase(0, size);
    }
    return out;
  }

  RawAnswer ask(std::string_view bytes) {
    send(bytes);
    return answer(std::chrono::seconds(20), bytes.starts_with("HEAD "));
  }

  /// What came, until `wanted` is in it.
  std::string until(std::string_view wanted,
                    std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    while (text_.find(wanted) == std::string::npos && more(patience)) {
    }
    return text_;
  }

  /// Whether the server ended the connection.
  bool closed(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    while (more(patience)) {
    }
    return ended_;
  }

 private:
  bool more(std::chrono::milliseconds patience) {
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(patience.count())) <= 0) return false;
    char buffer[65536];
    const ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
    if (n <= 0) {
      ended_ = true;
      return false;
    }
    text_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }

  int fd_;
  std::string text_;
  bool ended_ = false;
};

}  // namespace flyball::serve
