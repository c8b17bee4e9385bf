#pragma once
// What every request must pass before anything else is looked at, and what every answer says to a
// browser.
#include <string>
#include <vector>

#include "serve/http.h"

namespace flyball::serve {

class Safety {
 public:
  /// `hosts`: "name:port", or "name" for any port; as in Host, in lower case.
  explicit Safety(std::vector<std::string> hosts) : hosts_(std::move(hosts)) {}

  /// Another site whose name was made to point here is refused by Host (DNS rebinding), another
  /// site's page by Origin. Throws Refused: 421 HOST_REFUSED, 403 ORIGIN_REFUSED.
  void check(const Request& request) const;

 private:
  [[nodiscard]] bool is_ours(std::string_view host) const;
  std::vector<std::string> hosts_;
};

/// Fields that every answer carries: no sniffing, no framing, no foreign script, nothing cached but
/// what says so itself.
void add_safety_headers(Response& response);

/// Names of this machine itself at a port.
std::vector<std::string> local_hosts(std::uint16_t port);

}  // namespace flyball::serve
