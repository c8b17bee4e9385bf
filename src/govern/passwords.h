#pragma once
// Passwords: the rules they keep, and their argon2id hashes (by libsodium).
#include <cstddef>
#include <string>

namespace flyball::govern {

/// Throws PASSWORD_SHORT (below 12 characters), PASSWORD_LONG (above 1024 bytes) or
/// PASSWORD_HAS_NAME (without the user's names below 8 characters are left).
void check_password(const std::string& password, const std::string& user_id,
                    const std::string& display_name);

/// What a guess costs: passes over memory, and bytes of it.
struct HashCost {
  unsigned long long passes = 2;  ///< libsodium's INTERACTIVE
  std::size_t memory = 64u << 20;
};

/// The cheapest that the algorithm takes; for tests.
inline constexpr HashCost kLeastCost{1, 8192};

class Passwords {
 public:
  explicit Passwords(HashCost cost = {}) : cost_(cost) {}

  /// Salted, with algorithm and cost in the text. Throws HASH_MEMORY.
  [[nodiscard]] std::string hash(const std::string& password) const;

  [[nodiscard]] bool matches(const std::string& hash, const std::string& password) const;

  /// The work of matches() for a user that there is not; always false.
  [[nodiscard]] bool matches_none(const std::string& password) const;

 private:
  HashCost cost_;
};

}  // namespace flyball::govern
