#pragma once
// SHA-256 as lower-case hexadecimal text (by OpenSSL).
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace flyball {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  void update(std::span<const std::byte> bytes);
  /// 64 hexadecimal digits; the object is spent afterwards.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sha256(std::string_view bytes);

}  // namespace flyball
