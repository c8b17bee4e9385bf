#include "serve/gate.h"

#include "core/record.h"
#include "govern/govern.h"
#include "govern/secret.h"
#include "store/sqlite.h"

namespace flyball::serve {
namespace {

struct SetupBody {
  std::string token, user, display_name, password;
  static constexpr auto fields() {
    using B = SetupBody;
    return FieldList{
        field("token", &B::token, "as the program printed it").required().max_length(200),
        field("user", &B::user, "name to sign in with").required().max_length(64),
        field("displayName", &B::display_name, "name to show").max_length(200),
        field("password", &B::password, "at least 12 characters").required().max_length(1024)};
  }
};

struct SignInBody {
  std::string user, password;
  static constexpr auto fields() {
    using B = SignInBody;
    return FieldList{field("user", &B::user, "name").required().max_length(200),
                     field("password", &B::password, "password").required().max_length(1024)};
  }
};

struct PasswordBody {
  std::string password;
  static constexpr auto fields() {
    return FieldList{
        field("password", &PasswordBody::password, "password").required().max_length(1024)};
  }
};

bool changes_something(const Request& request) {
  return request.method != "GET" && request.method != "HEAD";
}

}  // namespace

struct Gate::Impl {
  Impl(const std::filesystem::path& data, const Clock& c)
      : clock(c), db(data / "flyball.db"), govern(db, data / "runtime" / "audit-head") {}
  const Clock& clock;
  store::Database db;
  govern::Governance govern;
};

Gate::Gate(const std::filesystem::path& data_folder, const Clock& clock)
    : impl_(std::make_unique<Impl>(data_folder, clock)) {}
Gate::~Gate() = default;

std::string Gate::cookie_name(bool secure) {
  return secure ? "__Host-flyball" : "flyball";
}

Caller Gate::authenticate(const Request& request, bool used) {
  const TimeUs now = impl_->clock.now();
  if (const std::string* given = request.header("authorization")) {
    constexpr std::string_view kBearer = "Bearer ";
    if (!given->starts_with(kBearer)) throw Error("UNAUTHENTICATED");
    return {impl_->govern.tokens.authenticate(given->substr(kBearer.size()), now, used), ""};
  }
  const std::string session(request.cookie(cookie_name(request.secure)));
  if (session.empty()) throw Error("UNAUTHENTICATED");
  Caller caller{impl_->govern.sessions.authenticate(session, now, used), session};
  if (changes_something(request)) {
    const std::string* csrf = request.header("x-csrf-token");
    if (csrf == nullptr || !govern::Sessions::csrf_matches(session, *csrf))
      throw Error("CSRF_REFUSED");
  }
  return caller;
}

void Gate::authorise(const Caller& caller, const app::Operation& operation,
                     const std::optional<std::string>& line, const std::string& object) {
  govern::require(govern::authorise(
      caller.principal,
      {std::string(operation.name), static_cast<govern::Right>(operation.scope), line, object}));
}

bool Gate::needs_setup() {
  return !impl_->govern.users.any();
}

std::optional<std::string> Gate::issue_setup() {
  return impl_->govern.setup.issue(impl_->clock.now());
}

SignedIn Gate::claim_setup(const Json& body, const std::string& remote) {
  const auto b = parse_record<SetupBody>(body);
  impl_->govern.setup.claim(b.token, b.user, b.display_name.empty() ? b.user : b.display_name,
                            b.password, impl_->clock.now());
  return sign_in({{"user", b.user}, {"password", b.password}}, remote);
}

SignedIn Gate::sign_in(const Json& body, const std::string& remote) {
  const auto b = parse_record<SignInBody>(body);
  const govern::NewSession session =
      impl_->govern.sign_in.sign_in(b.user, b.password, remote, impl_->clock.now());
  return {b.user, session.secret, session.csrf, session.expires_at};
}

void Gate::confirm(const Caller& caller, const Json& body, const std::string& remote) {
  const auto b = parse_record<PasswordBody>(body);
  impl_->govern.sign_in.confirm(caller.session, b.password, remote, impl_->clock.now());
}

void Gate::sign_out(const Caller& caller) {
  if (!caller.session.empty()) impl_->govern.sessions.end(caller.session);
}

}  // namespace flyball::serve
