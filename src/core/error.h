#pragma once
// The one error type. "It could not be done" is thrown; "it was done and the answer is no" is a
// value (GateReport, Uq, ...). Caught in three places only: command line, HTTP, worker loop.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flyball {

enum class Errc {
  invalid_argument, not_found, already_exists, failed_precondition, unauthenticated,
  permission_denied, resource_exhausted, unavailable, cancelled, timeout, corrupt_data, internal
};

/// What an Errc means at each door: one row each, the only place that decides it.
struct ErrcInfo {
  Errc errc;
  std::string_view name;
  int http_status;
  int exit_code;
  bool retryable;
};
const ErrcInfo& info(Errc errc);

/// A named value of a message, with its unit ("" = none).
struct Param {
  std::string name;
  std::variant<double, std::int64_t, std::string> value;
  std::string unit;

  Param(std::string n, double v, std::string u = {}) : name(std::move(n)), value(v), unit(std::move(u)) {}
  Param(std::string n, std::int64_t v, std::string u = {}) : name(std::move(n)), value(v), unit(std::move(u)) {}
  Param(std::string n, int v, std::string u = {}) : Param(std::move(n), std::int64_t{v}, std::move(u)) {}
  Param(std::string n, std::size_t v, std::string u = {}) : Param(std::move(n), static_cast<std::int64_t>(v), std::move(u)) {}
  Param(std::string n, std::string v) : name(std::move(n)), value(std::move(v)) {}
  Param(std::string n, std::string_view v) : name(std::move(n)), value(std::string(v)) {}
  Param(std::string n, const char* v) : name(std::move(n)), value(std::string(v)) {}
};

/// Words that a person reads: a stable code and named values; the text comes from the catalogue.
struct Message {
  std::string code;
  std::vector<Param> params;

  /// The catalogue's template with {name} replaced by the value (4 significant digits) and unit.
  [[nodiscard]] std::string text() const;
};

/// One problem of an input, at a JSON Pointer (RFC 6901) such as /variables/2/scale.
struct Problem {
  std::string pointer;
  Message message;
};

class Error : public std::runtime_error {
 public:
  /// The Errc is the catalogue's for this code.
  explicit Error(std::string code, std::vector<Param> params = {}, std::string pointer = {});
  /// Several problems of one input, reported together under `code`.
  static Error of(std::string code, std::vector<Problem> problems);

  [[nodiscard]] Errc errc() const { return errc_; }
  [[nodiscard]] const std::string& code() const { return message_.code; }
  [[nodiscard]] const Message& message() const { return message_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  Error(Message message, std::vector<Problem> problems);

  Errc errc_;
  Message message_;
  std::string pointer_;
  std::vector<Problem> problems_;
};

}  // namespace flyball
