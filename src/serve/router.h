#pragma once
// From a method and a path to an operation, and from a request to the operation's Json.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/operations.h"
#include "serve/http.h"

namespace flyball::serve {

/// A path of the table, taken apart: "/tags/{name}" → "tags", {name}.
struct Route {
  struct Part {
    std::string text;  ///< a word, or the name of a parameter
    bool parameter = false;
  };
  const app::Operation* operation = nullptr;
  std::vector<Part> parts;
  std::vector<app::Flag> flags;
};

struct Match {
  const Route* route = nullptr;
  std::vector<std::string> parameters;  ///< in the order of the path
};

class Router {
 public:
  /// Throws ROUTE_WITHOUT_POLICY for a row whose scope is none of the rights, and for a GET that
  /// writes.
  explicit Router(std::span<const app::Operation> operations);

  /// `path` is what follows /api/v1. Words win over parameters. Throws Refused 404 ROUTE_MISSING,
  /// 405 METHOD_NOT_ALLOWED.
  [[nodiscard]] Match match(std::string_view method, std::span<const std::string> path) const;

  /// The GET of the same path, of which an ETag is known; nullptr when there is none.
  [[nodiscard]] const Route* sibling(const Route& route) const;

  /// Methods that a path has, "GET, PATCH"; "" when it has none.
  [[nodiscard]] std::string allowed(std::span<const std::string> path) const;

  [[nodiscard]] std::span<const Route> routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

/// What the operation is asked: parameters of the path, the query (typed by the flags; repeated for
/// lists; times as RFC 3339, durations as 80ms) and the fields of a JSON body. Whatever is given
/// twice, names a file of the server or does not fit its type is refused: 422 SPEC_INVALID with all
/// problems.
Json request_json(const Match& match, const Request& request);

/// What stands in place of the operation's input file: an upload, or the content that the body
/// gives in that field. Sets the field in `json` to `name`, so that the record is whole.
std::optional<app::Content> take_content(const Route& route, const Request& request, Json& json,
                                         const std::string& name);

}  // namespace flyball::serve
