#pragma once
// Live checks of what product.md promises about safety, each with a name, against a running
// service: one of its own on a temporary folder, or the one at an address.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "serve/raw_client.h"

namespace flyball::serve {

struct SelfTestRequest {
  std::optional<std::string> url;
  static constexpr auto fields() {
    return FieldList{
        field("url", &SelfTestRequest::url,
              "address of a running service, http://127.0.0.1:8080; then only what needs no "
              "sign-in is checked, and with a token in FLYBALL_TOKEN what that may do; default: a "
              "service of its own on a temporary folder")};
  }
};

struct CheckResult {
  std::string name, what;
  bool skipped = false;
  std::vector<std::string> failures;  ///< empty: it holds
};

/// What the checks aim at.
struct Target {
  std::uint16_t port = 0;
  std::string host;                  ///< as it stands in Host
  std::filesystem::path data;        ///< of its own service; else empty
  std::string token;                 ///< of a user with every right that a token may have
  std::string narrow_token;          ///< that may only view
  std::string cookie, csrf;          ///< of a signed-in administrator
  std::vector<std::string> secrets;  ///< that must not stand in the database

  [[nodiscard]] bool is_own() const { return !data.empty(); }
  [[nodiscard]] std::string request(const std::string& method, const std::string& place,
                                    const std::string& fields = "",
                                    const std::string& body = "") const;
  [[nodiscard]] RawAnswer ask(const std::string& method, const std::string& place,
                              const std::string& fields = "", const std::string& body = "") const;
  [[nodiscard]] std::string bearer() const { return "Authorization: Bearer " + token + "\r\n"; }
};

struct Check {
  const char* name;
  const char* what;
  enum Needs { nothing, token, own_service } needs;
  void (*run)(const Target& target, std::vector<std::string>& failures);
};

std::vector<Check> open_checks();   ///< without credentials
std::vector<Check> known_checks();  ///< with a token or session
std::vector<Check> store_checks();  ///< of what lies in the data folder

/// Runs them all. Throws what keeps the service from starting or being reached.
std::vector<CheckResult> self_test(const SelfTestRequest& request);

}  // namespace flyball::serve
