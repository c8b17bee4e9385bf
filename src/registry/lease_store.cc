#include "registry/leases.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kAdd = "INSERT INTO leases(object, holder, until) VALUES(?, ?, ?)";
constexpr std::string_view kRenew = "UPDATE leases SET until = ? WHERE id = ?";
constexpr std::string_view kRemove = "DELETE FROM leases WHERE id = ?";
constexpr std::string_view kRemoveOld = "DELETE FROM leases WHERE until < ?";
constexpr std::string_view kHolders =
    "SELECT object, holder, until FROM leases WHERE object = ? ORDER BY id";

}  // namespace

std::int64_t Leases::acquire(const std::string& object, const std::string& holder, TimeUs until) {
  db_.run(kAdd, object, holder, until);
  return db_.last_row_id();
}

bool Leases::renew(std::int64_t id, TimeUs until) {
  return db_.run(kRenew, until, id) == 1;
}

void Leases::release(std::int64_t id) {
  db_.run(kRemove, id);
}

std::vector<Lease> Leases::holders(const std::string& object, TimeUs now) {
  db_.run(kRemoveOld, now);
  std::vector<Lease> out;
  for (store::Statement q = db_.query(kHolders, object); q.step();)
    out.push_back({q.text(0), q.text(1), q.integer(2)});
  return out;
}

}  // namespace flyball::registry
