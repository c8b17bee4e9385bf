#pragma once
// All that decides who may do what, and remembers who did what, on one connection to flyball.db.
#include <filesystem>

#include "govern/approvals.h"
#include "govern/audit.h"
#include "govern/authorise.h"
#include "govern/passwords.h"
#include "govern/sessions.h"
#include "govern/setup.h"
#include "govern/sign_in.h"
#include "govern/throttle.h"
#include "govern/tokens.h"
#include "govern/users.h"

namespace flyball::govern {

struct Governance {
  explicit Governance(store::Database& db, const std::filesystem::path& audit_head = {},
                      HashCost cost = {})
      : passwords(cost),
        users(db, passwords),
        throttle(db),
        audit(db, audit_head),
        sessions(db, users),
        setup(db, users, audit),
        tokens(db, users),
        sign_in(users, sessions, throttle, audit),
        approvals(db) {}
  Governance(const Governance&) = delete;
  Governance& operator=(const Governance&) = delete;

  Passwords passwords;
  Users users;
  Throttle throttle;
  Audit audit;
  Sessions sessions;
  Setup setup;
  Tokens tokens;
  SignIn sign_in;
  Approvals approvals;
};

}  // namespace flyball::govern
