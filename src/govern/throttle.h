#pragma once
// Guessing of passwords is made slow: after a few wrong ones each further try waits twice as long,
// by account (also one that there is not) and by remote address. What was counted outlives a
// restart. Names and addresses are stored as hashes: people type passwords where names belong.
#include <string>

#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::govern {

class Throttle {
 public:
  static constexpr int kFreeOfAccount = 5, kFreeOfAddress = 20;
  static constexpr DurationUs kFirstWait = kSecond;
  static constexpr DurationUs kLongestWait = 900 * kSecond;
  static constexpr DurationUs kForgotten = kDay;  ///< after this time without a try

  explicit Throttle(store::Database& db) : db_(db) {}

  /// Counts a try before its password is looked at, so that tries side by side gain nothing. Throws
  /// SIGN_IN_WAIT, counting nothing, while one of the two is blocked.
  void begin(const std::string& account, const std::string& address, TimeUs now);

  /// The try that was counted last was none: the password was right. The account's count starts
  /// anew; that of the address only goes back by one.
  void succeeded(const std::string& account, const std::string& address);

  /// How long the next try waits after so many failures: 0, then 1 s · 2^(failures − free), at most
  /// kLongestWait.
  static DurationUs wait(int failures, int free);

 private:
  store::Database& db_;
};

}  // namespace flyball::govern
