#pragma once
// What a request under an Idempotency-Key was answered, so that sending it again does nothing
// again. Kept for a day in `<data>/runtime/service.db`. Any thread.
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "core/time.h"
#include "serve/http.h"
#include "store/sqlite.h"

namespace flyball::serve {

class Idempotency {
 public:
  static constexpr DurationUs kLasts = kDay;

  explicit Idempotency(const std::filesystem::path& data_folder);

  /// The stored answer; nullopt: the request is to be done now, and is marked as begun. Throws
  /// IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED (with another request), IDEMPOTENCY_UNKNOWN
  /// (it was begun and its end is not known).
  std::optional<Response> begin(const std::string& caller, const std::string& key,
                                const std::string& digest, TimeUs now);

  /// Keeps the answer; one that says "not now" (429, 5xx) or "not you" (401, 403) is forgotten.
  void end(const std::string& caller, const std::string& key, const Response& response);

 private:
  std::mutex guard_;
  store::Database db_;
};

/// Of all that makes a request what it is: method, target, type and bytes of the body.
std::string request_digest(const Request& request);

}  // namespace flyball::serve
