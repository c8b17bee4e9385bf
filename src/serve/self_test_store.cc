// Checks of what lies in the data folder: on a copy, or on nothing but the self-test's own.
#include "govern/govern.h"
#include "serve/self_test.h"
#include "store/files.h"
#include "store/sqlite.h"

namespace flyball::serve {
namespace {

using Failures = std::vector<std::string>;

void audit_is_append_only(const Target& t, Failures& failures) {
  store::Database db(t.data / "flyball.db");
  for (const char* sql : {"UPDATE audit SET actor = 'nobody'", "DELETE FROM audit"}) {
    try {
      (void)db.run(sql);
      failures.push_back(std::string(sql) + " is possible");
    } catch (const Error&) {
      // as it should be
    }
  }
}

/// Somebody who can write the file takes the triggers away and changes a row.
void audit_tampering(const Target& t, Failures& failures) {
  store::Database db(t.data / "flyball.db");
  const govern::Audit audit(db);
  const govern::AuditVerdict before = audit.verify();
  if (before.problem)
    failures.push_back("the trail does not hold before: " + before.problem->text());
  if (before.rows < 2) {
    failures.push_back("the trail has " + std::to_string(before.rows) + " rows");
    return;
  }
  std::vector<std::string> triggers;
  store::Statement q =
      db.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'");
  while (q.step()) triggers.push_back(q.text(0));
  q.finish();
  for (const std::string& trigger : triggers) db.exec("DROP TRIGGER " + trigger);
  (void)db.run("UPDATE audit SET actor = actor || 'x' WHERE number = 2");
  const govern::AuditVerdict after = audit.verify();
  if (!after.problem || after.first_broken != 2)
    failures.emplace_back("a changed row is not found");
}

void secrets_at_rest(const Target& t, Failures& failures) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(t.data)) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = store::read_file(entry.path());
    for (const std::string& secret : t.secrets) {
      if (bytes.find(secret) != std::string::npos)
        failures.push_back(entry.path().filename().string() + " holds a secret");
    }
  }
}

}  // namespace

std::vector<Check> store_checks() {
  return {
      {"secrets-at-rest", "no password, token or session stands in any file", Check::own_service,
       secrets_at_rest},
      {"audit-append-only", "rows of the audit trail are neither changed nor deleted",
       Check::own_service, audit_is_append_only},
      {"audit-tampering", "a row changed behind the program's back is found", Check::own_service,
       audit_tampering},
  };
}

}  // namespace flyball::serve
