#pragma once
// Who calls, and whether he may: where the service meets the room govern. One for each thread, on a
// connection of its own. No password, secret or token leaves it.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/operations.h"
#include "core/time.h"
#include "govern/authorise.h"
#include "serve/http.h"

namespace flyball::serve {

struct Caller {
  govern::Principal principal;
  std::string session;  ///< secret of the session, when he came with its cookie
};

/// What a browser gets once it is signed in.
struct SignedIn {
  std::string user, cookie, csrf;  ///< cookie: the secret
  TimeUs expires_at = 0;
};

class Gate {
 public:
  Gate(const std::filesystem::path& data_folder, const Clock& clock);
  ~Gate();

  /// By "Authorization: Bearer", else by the cookie of a session. Throws UNAUTHENTICATED,
  /// TOKEN_REFUSED, SESSION_OVER; CSRF_REFUSED for a session that wants to change something and
  /// does not bring its token. `used`: keeps a session alive and marks a token as used.
  Caller authenticate(const Request& request, bool used = true);

  /// Throws what govern::authorise refuses.
  void authorise(const Caller& caller, const app::Operation& operation,
                 const std::optional<std::string>& line, const std::string& object);

  [[nodiscard]] bool needs_setup();
  /// The token of the first start, when there is no user; once.
  std::optional<std::string> issue_setup();
  /// Makes the first administrator and signs him in.
  SignedIn claim_setup(const Json& body, const std::string& remote);
  SignedIn sign_in(const Json& body, const std::string& remote);
  /// The password again: approvals want a sign-in that is fresh.
  void confirm(const Caller& caller, const Json& body, const std::string& remote);
  void sign_out(const Caller& caller);

  /// Name of the cookie; over TLS browsers hold its prefix to its rules.
  static std::string cookie_name(bool secure);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flyball::serve
