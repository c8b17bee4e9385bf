#include <algorithm>

#include "core/error.h"
#include "govern/secret.h"
#include "govern/throttle.h"
#include "store/savepoint.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kTries =
    "SELECT failures, blocked_until FROM sign_in_tries WHERE key_hash = ?";
constexpr std::string_view kCount =
    "INSERT INTO sign_in_tries(key_hash, failures, last_at, blocked_until) VALUES(?, ?, ?, ?) "
    "ON CONFLICT(key_hash) DO UPDATE SET failures = excluded.failures, "
    "last_at = excluded.last_at, blocked_until = excluded.blocked_until";
constexpr std::string_view kForget = "DELETE FROM sign_in_tries WHERE last_at < ?";
constexpr std::string_view kReset = "DELETE FROM sign_in_tries WHERE key_hash = ?";
constexpr std::string_view kTakeBack =
    "UPDATE sign_in_tries SET failures = failures - 1, blocked_until = 0 WHERE key_hash = ?";

std::string account_key(const std::string& account) {
  return secret_hash("account:" + account);
}

std::string address_key(const std::string& address) {
  return secret_hash("address:" + address);
}

int failures_of(store::Database& db, const std::string& key, TimeUs now) {
  store::Statement q = db.query(kTries, key);
  if (!q.step()) return 0;
  // Never longer than the longest wait, whatever a clock that was set back says.
  const DurationUs left = std::min(q.integer(1) - now, Throttle::kLongestWait);
  if (left > 0)
    throw Error("SIGN_IN_WAIT",
                {{"wait", static_cast<double>((left + kSecond - 1) / kSecond), "s"}});
  return static_cast<int>(q.integer(0));
}

}  // namespace

DurationUs Throttle::wait(int failures, int free) {
  if (failures < free) return 0;
  const int doublings = std::min(failures - free, 20);
  return std::min(kFirstWait << doublings, kLongestWait);
}

void Throttle::begin(const std::string& account, const std::string& address, TimeUs now) {
  store::Savepoint part(db_);
  db_.run(kForget, now - kForgotten);
  const std::string of_account = account_key(account), of_address = address_key(address);
  const int account_failures = failures_of(db_, of_account, now) + 1;
  const int address_failures = failures_of(db_, of_address, now) + 1;
  db_.run(kCount, of_account, account_failures, now, now + wait(account_failures, kFreeOfAccount));
  db_.run(kCount, of_address, address_failures, now, now + wait(address_failures, kFreeOfAddress));
  part.commit();
}

void Throttle::succeeded(const std::string& account, const std::string& address) {
  store::Savepoint part(db_);
  db_.run(kReset, account_key(account));
  db_.run(kTakeBack, address_key(address));
  part.commit();
}

}  // namespace flyball::govern
