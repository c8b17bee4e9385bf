#include <algorithm>

#include "core/digest.h"
#include "serve/idempotency.h"
#include "store/files.h"
#include "store/migrations.h"

namespace flyball::serve {
namespace {

constexpr std::array kMigrations{store::Migration{1, "answers by Idempotency-Key", R"sql(
CREATE TABLE answers (
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  begun_at INTEGER NOT NULL,
  status INTEGER,
  content_type TEXT,
  body TEXT,
  PRIMARY KEY (caller, key)
);
CREATE INDEX answers_by_time ON answers(begun_at);
)sql"}};

constexpr std::string_view kForget = "DELETE FROM answers WHERE begun_at < ?";
constexpr std::string_view kFind =
    "SELECT digest, status, content_type, body FROM answers WHERE caller = ? AND key = ?";
constexpr std::string_view kBegin =
    "INSERT INTO answers(caller, key, digest, begun_at) VALUES(?, ?, ?, ?)";
constexpr std::string_view kEnd =
    "UPDATE answers SET status = ?, content_type = ?, body = ? WHERE caller = ? AND key = ?";
constexpr std::string_view kRemove = "DELETE FROM answers WHERE caller = ? AND key = ?";

std::filesystem::path file_in(const std::filesystem::path& data_folder) {
  store::make_folder(data_folder / "runtime");
  return data_folder / "runtime" / "service.db";
}

}  // namespace

Idempotency::Idempotency(const std::filesystem::path& data_folder) : db_(file_in(data_folder)) {
  store::migrate(db_, kMigrations);
}

std::optional<Response> Idempotency::begin(const std::string& caller, const std::string& key,
                                           const std::string& digest, TimeUs now) {
  const bool visible = std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
  if (key.empty() || key.size() > 128 || !visible) throw Refused(400, "IDEMPOTENCY_KEY_INVALID");
  const std::lock_guard lock(guard_);
  db_.run(kForget, now - kLasts);
  store::Statement q = db_.query(kFind, caller, key);
  if (!q.step()) {
    q.finish();
    db_.run(kBegin, caller, key, digest, now);
    return std::nullopt;
  }
  if (q.text(0) != digest)
    throw Error("IDEMPOTENCY_KEY_REUSED", {{"hours", kLasts / (3600 * kSecond), "h"}});
  if (q.is_null(1)) throw Error("IDEMPOTENCY_UNKNOWN");
  Response out;
  out.status = static_cast<int>(q.integer(1));
  out.with("Content-Type", q.text(2)).with("Idempotency-Replayed", "true");
  out.body = q.text(3);
  return out;
}

void Idempotency::end(const std::string& caller, const std::string& key, const Response& response) {
  const std::lock_guard lock(guard_);
  const int s = response.status;
  if (s >= 500 || s == 401 || s == 403 || s == 429 || s == 499) {
    db_.run(kRemove, caller, key);
    return;
  }
  const auto type = std::ranges::find(response.headers, "Content-Type", &Header::name);
  db_.run(kEnd, s, type == response.headers.end() ? std::string("application/json") : type->value,
          response.body, caller, key);
}

std::string request_digest(const Request& request) {
  Sha256 hash;
  for (const std::string& part : {request.method, request.target, request.content_type()}) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  hash.update(request.content());
  return hash.hex();
}

}  // namespace flyball::serve
