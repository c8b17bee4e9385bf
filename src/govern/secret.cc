#include "govern/secret.h"

#include <sodium.h>

#include <array>

#include "core/digest.h"
#include "core/error.h"

namespace flyball::govern {
namespace {

template <std::size_t N>
std::string random_digits() {
  if (sodium_init() < 0) throw Error("RANDOM_UNAVAILABLE");
  std::array<unsigned char, N> bytes{};
  randombytes_buf(bytes.data(), N);
  std::string out(2 * N + 1, '\0');
  sodium_bin2hex(out.data(), out.size(), bytes.data(), N);
  out.pop_back();
  return out;
}

}  // namespace

std::string random_secret() {
  return random_digits<32>();
}

std::string random_id(std::string_view prefix) {
  return std::string(prefix) + "-" + random_digits<8>();
}

std::string secret_hash(std::string_view secret) {
  return sha256(secret);
}

bool same_text(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string csrf_token(std::string_view session_secret) {
  return sha256("csrf:" + std::string(session_secret));
}

}  // namespace flyball::govern
