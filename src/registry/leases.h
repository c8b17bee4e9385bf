#pragma once
// Who uses a model or a dataset right now. A lease is a row that dies unless its holder renews it:
// what a crash left behind ends by itself. References that last (profiles, plans) are other rows;
// MODEL_IN_USE names every holder.
#include <string>
#include <vector>

#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::registry {

struct Lease {
  std::string object, holder;  ///< "mdl-...", "job job-..."
  TimeUs until = 0;
};

class Leases {
 public:
  explicit Leases(store::Database& db) : db_(db) {}

  /// The id of a new lease; one holder may have several on one object.
  std::int64_t acquire(const std::string& object, const std::string& holder, TimeUs until);
  /// False when it has run out and is gone.
  bool renew(std::int64_t id, TimeUs until);
  /// Twice is no error.
  void release(std::int64_t id);
  /// Leases of an object that hold at `now`; those that ran out are removed.
  std::vector<Lease> holders(const std::string& object, TimeUs now);

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
