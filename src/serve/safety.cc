#include "serve/safety.h"

#include <algorithm>

namespace flyball::serve {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view without_port(std::string_view host) {
  const auto colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && host.find(']', colon) == host.npos;
  return has_port ? host.substr(0, colon) : host;
}

constexpr std::pair<const char*, const char*> kHeaders[]{
    {"Content-Security-Policy",
     "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
     "'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
};

}  // namespace

std::vector<std::string> local_hosts(std::uint16_t port) {
  std::vector<std::string> out;
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) {
    out.push_back(std::string(name) + ":" + std::to_string(port));
    if (port == 80 || port == 443) out.emplace_back(name);
  }
  return out;
}

bool Safety::is_ours(std::string_view host) const {
  const std::string given = lower(host);
  return std::ranges::any_of(hosts_, [&](const std::string& ours) {
    return given == ours || (without_port(ours) == ours && without_port(given) == ours);
  });
}

void Safety::check(const Request& request) const {
  const std::string* host = request.header("host");
  if (host == nullptr || !is_ours(*host))
    throw Refused(421, "HOST_REFUSED", {{"host", host == nullptr ? "" : *host}});
  if (const std::string* origin = request.header("origin")) {
    const std::string from = lower(*origin);
    const auto scheme = from.find("://");
    const bool ours = (from.starts_with("http://") || from.starts_with("https://")) &&
                      is_ours(std::string_view(from).substr(scheme + 3));
    if (!ours) throw Refused(403, "ORIGIN_REFUSED", {{"origin", *origin}});
  }
  const std::string* site = request.header("sec-fetch-site");
  if (site != nullptr && *site == "cross-site" && request.method != "GET")
    throw Refused(403, "ORIGIN_REFUSED", {{"origin", "another site"}});
}

void add_safety_headers(Response& response) {
  for (const auto& [name, value] : kHeaders) response.with(name, value);
  if (std::ranges::find(response.headers, "Cache-Control", &Header::name) == response.headers.end())
    response.with("Cache-Control", "no-store");
}

}  // namespace flyball::serve
