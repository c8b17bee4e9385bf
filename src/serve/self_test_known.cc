// Checks by somebody who is known: what he may not do all the same.
#include <nlohmann/json.hpp>

#include "app/operations.h"
#include "serve/self_test.h"
#include "store/files.h"

namespace flyball::serve {
namespace {

using Failures = std::vector<std::string>;

void expect(Failures& failures, bool holds, const std::string& what) {
  if (!holds && failures.size() < 20) failures.push_back(what);
}

std::string escaped(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

/// The path with `value` in place of each parameter.
std::string path_with(const app::Operation& o, const std::string& value) {
  std::string path = "/api/v1" + std::string(o.path);
  for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
    path.replace(open, path.find('}') - open + 1, value);
  return path;
}

bool has_body(const app::Operation& o) {
  return o.method != "GET" && o.method != "DELETE";
}

/// Every text of every operation becomes `value`, one at a time.
void for_each_text(const Target& t, const std::string& value,
                   const std::function<void(const std::string& where, const RawAnswer&)>& look) {
  for (const app::Operation& o : app::operations()) {
    const std::string method(o.method), name(o.name);
    if (o.path.find('{') != std::string_view::npos)
      look(name + " path",
           t.ask(method, path_with(o, escaped(value)), t.bearer(), has_body(o) ? "{}" : ""));
    for (const app::Flag& flag : o.flags()) {
      if (flag.type != "text" || o.path.find("{" + flag.name + "}") != std::string_view::npos)
        continue;
      const std::string where = name + " " + flag.name;
      if (has_body(o)) {
        Json body = {{flag.name, flag.repeatable ? Json::array({value}) : Json(value)}};
        look(where, t.ask(method, path_with(o, "x"), t.bearer(), canonical(body)));
      } else {
        look(where,
             t.ask(method, path_with(o, "x") + "?" + flag.name + "=" + escaped(value), t.bearer()));
      }
    }
  }
}

void traversal(const Target& t, Failures& failures) {
  for (const char* value : {"../../../../../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd",
                            "....//....//etc/passwd", "file:///etc/passwd", "/proc/self/environ",
                            "-", "~root/.profile"}) {
    for_each_text(t, value, [&](const std::string& where, const RawAnswer& a) {
      expect(failures, a.status != 0 && a.status < 500,
             where + " = " + value + " answers " + std::to_string(a.status));
      expect(
          failures,
          a.body.find("root:x:0") == std::string::npos && a.body.find("PATH=") == std::string::npos,
          where + " = " + value + " shows a file");
    });
  }
}

void no_file_is_written(const Target& t, Failures& failures) {
  const std::filesystem::path canary = t.data.parent_path() / "flyball-self-test-canary";
  for_each_text(t, canary.string(), [&](const std::string& where, const RawAnswer&) {
    expect(failures, !std::filesystem::exists(canary), where + " wrote a file");
  });
}

void scripts(const Target& t, Failures& failures) {
  for (const char* value : {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
                            "javascript:alert(1)", "</title><svg/onload=alert(1)>", "{{7*7}}"}) {
    for_each_text(t, value, [&](const std::string& where, const RawAnswer& a) {
      const std::string type = a.field("Content-Type");
      expect(failures, type.starts_with("application/json") || type == "application/problem+json",
             where + " answers as " + type);
      expect(failures, a.field("X-Content-Type-Options") == "nosniff", where + " may be sniffed");
    });
  }
}

void injection(const Target& t, Failures& failures) {
  for (const char* value : {"' OR '1'='1", "x'; DROP TABLE models; --", "x\r\nSet-Cookie: evil=1",
                            "$(touch /tmp/flyball-injected)", "%n%n%n%n"}) {
    for_each_text(t, value, [&](const std::string& where, const RawAnswer& a) {
      expect(failures, a.status != 0 && a.status < 500,
             where + " answers " + std::to_string(a.status));
      expect(failures, a.field("Set-Cookie").empty(), where + " sets a cookie");
    });
  }
  expect(failures, t.ask("GET", "/api/v1/models", t.bearer()).status == 200, "a table is gone");
}

void csrf(const Target& t, Failures& failures) {
  for (const app::Operation& o : app::operations()) {
    if (o.method == "GET") continue;
    const std::string method(o.method), body = has_body(o) ? "{}" : "";
    const RawAnswer without = t.ask(method, path_with(o, "x"), t.cookie, body);
    const RawAnswer wrong =
        t.ask(method, path_with(o, "x"), t.cookie + "X-CSRF-Token: x\r\n", body);
    for (const RawAnswer& a : {without, wrong})
      expect(failures, a.status == 403 && a.body.find("CSRF_REFUSED") != std::string::npos,
             std::string(o.name) + " answers " + std::to_string(a.status));
  }
}

void tokens(const Target& t, Failures& failures) {
  for (const app::Operation& o : app::operations()) {
    const std::string method(o.method), body = has_body(o) ? "{}" : "", name(o.name);
    if (o.scope == app::Scope::approve || o.scope == app::Scope::admin)
      expect(failures, t.ask(method, path_with(o, "x"), t.bearer(), body).status == 403,
             name + " by a token");
    if (o.scope != app::Scope::view)
      expect(
          failures,
          t.ask(method, path_with(o, "x"), "Authorization: Bearer " + t.narrow_token + "\r\n", body)
                  .status == 403,
          name + " by a token that may only view");
  }
  for (const char* made_up : {"fbt_0000", "", "x", "fbt_' OR 1=1"})
    expect(failures,
           t.ask("GET", "/api/v1/models", "Authorization: Bearer " + std::string(made_up) + "\r\n")
                   .status == 401,
           "a made-up token");
}

void cookies(const Target& t, Failures& failures) {
  const RawAnswer a = t.ask("GET", "/api/v1/session", t.cookie);
  expect(failures, a.status == 200, "the session does not hold");
  expect(failures, a.body.find(t.cookie.substr(t.cookie.find('=') + 1, 32)) == std::string::npos,
         "an answer shows the secret of the session");
  std::string cut = t.cookie;
  cut[cut.size() - 3] = cut[cut.size() - 3] == '0' ? '1' : '0';
  expect(failures, t.ask("GET", "/api/v1/session", cut).status == 401, "one digit may differ");
}

void deep_json(const Target& t, Failures& failures) {
  for (const std::string& body :
       {std::string(100'000, '['), "{\"id\":" + std::string(65, '[') + std::string(65, ']') + "}",
        std::string("{\"id\":1e999}"), std::string("{\"id\":\"\xff\"}"), std::string("[]"),
        std::string("null"), std::string("{\"limit\":99999999999999999999}")}) {
    const int status = t.ask("POST", "/api/v1/studies", t.bearer(), body).status;
    expect(failures, status >= 400 && status < 500,
           body.substr(0, 20) + " answers " + std::to_string(status));
  }
}

void uploads(const Target& t, Failures& failures) {
  // Its own service takes 4 MB.
  RawClient client(t.port);
  client.send("POST /api/v1/imports?line=L HTTP/1.1\r\nHost: " + t.host + "\r\n" + t.bearer() +
              "Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string piece(65'536, 'x');
  for (int i = 0; i < 70; ++i) {
    if (!client.send("10000\r\n" + piece + "\r\n")) break;
  }
  const int status = client.answer().status;
  expect(failures, status == 413, "an upload beyond the limit answers " + std::to_string(status));
}

}  // namespace

std::vector<Check> known_checks() {
  return {
      {"path-traversal", "no field of any operation reads a file of the machine", Check::token,
       traversal},
      {"file-writes", "no field of any operation writes a file", Check::own_service,
       no_file_is_written},
      {"xss", "texts come back as JSON only", Check::token, scripts},
      {"injection", "texts are never SQL, headers or commands", Check::token, injection},
      {"json-limits", "JSON that is too deep or no object is refused", Check::token, deep_json},
      {"csrf", "a session changes nothing without its token, on any route", Check::own_service,
       csrf},
      {"token-rights", "a token has its rights only, and never those of a person",
       Check::own_service, tokens},
      {"session-cookie", "a session is its whole secret, which no answer shows", Check::own_service,
       cookies},
      {"upload-limit", "an upload ends at its limit", Check::own_service, uploads},
  };
}

}  // namespace flyball::serve
