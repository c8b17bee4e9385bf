#include "govern/passwords.h"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "core/error.h"

namespace flyball::govern {
namespace {

constexpr std::size_t kLeast = 12, kLongest = 1024, kLeastBesideName = 8;

/// Code points of UTF-8.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

std::string without(std::string text, const std::string& name) {
  if (name.empty()) return text;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
    text.erase(at, name.size());
  return text;
}

}  // namespace

void check_password(const std::string& password, const std::string& user_id,
                    const std::string& display_name) {
  if (characters(password) < kLeast)
    throw Error("PASSWORD_SHORT", {{"length", characters(password)}, {"least", kLeast}},
                "/password");
  if (password.size() > kLongest)
    throw Error("PASSWORD_LONG", {{"length", password.size()}, {"most", kLongest}}, "/password");
  const std::string rest = without(without(lower(password), lower(display_name)), lower(user_id));
  if (characters(rest) < kLeastBesideName)
    throw Error("PASSWORD_HAS_NAME", {{"least", kLeastBesideName}}, "/password");
}

std::string Passwords::hash(const std::string& password) const {
  std::array<char, crypto_pwhash_STRBYTES> out{};
  if (sodium_init() < 0 ||
      crypto_pwhash_str_alg(out.data(), password.data(), password.size(), cost_.passes,
                            cost_.memory, crypto_pwhash_ALG_ARGON2ID13) != 0)
    throw Error("HASH_MEMORY", {{"memory", static_cast<double>(cost_.memory >> 10), "KiB"}});
  return out.data();
}

bool Passwords::matches(const std::string& hash, const std::string& password) const {
  return sodium_init() >= 0 &&
         crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0;
}

bool Passwords::matches_none(const std::string& password) const {
  (void)hash(password);
  return false;
}

}  // namespace flyball::govern
