#pragma once
// `flyball serve` as a process of its own.
#include <cstdlib>

#include "e2e/program.h"
#include "serve/raw_client.h"

namespace flyball::testing {

class Service {
 public:
  explicit Service(const TempFolder& folder)
      : program_({"serve", "--data", (folder / "data").string(), "--listen", "127.0.0.1:0"}) {
    for (int i = 0; i < 2000 && link_.find('\n') == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      link_ = program_.out_so_far();
    }
    const auto colon = link_.find(':', 7);
    port_ = static_cast<std::uint16_t>(std::atoi(link_.c_str() + colon + 1));
  }

  [[nodiscard]] const std::string& link() const { return link_; }
  Running& program() { return program_; }

  /// Status 0: it is gone.
  [[nodiscard]] serve::RawAnswer ask(const std::string& method, const std::string& place,
                                     const std::string& fields, const std::string& body = "") const
      try {
    std::string text = method + " " + place +
                       " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n" + fields;
    if (!body.empty()) {
      if (fields.find("Content-Type") == std::string::npos)
        text += "Content-Type: application/json\r\n";
      text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    return serve::RawClient(port_).ask(text + "\r\n" + body);
  } catch (const std::exception&) {
    return {};
  }

  /// Fields of a signed-in administrator: the first one, or the one that is there.
  [[nodiscard]] std::string sign_in() const {
    nlohmann::json body = {{"user", "ada"}, {"password", "correct horse battery"}};
    const auto hash = link_.find("#setup=");
    std::string place = "/api/v1/session";
    if (hash != std::string::npos) {
      place = "/api/v1/setup";
      body["token"] = link_.substr(hash + 7, 64);
    }
    const serve::RawAnswer made = ask("POST", place, "", body.dump());
    if (made.status != 200) return {};
    const std::string set = made.field("Set-Cookie");
    return "Cookie: " + set.substr(0, set.find(';')) +
           "\r\nX-CSRF-Token: " + nlohmann::json::parse(made.body)["csrf"].get<std::string>() +
           "\r\n";
  }

 private:
  Running program_;
  std::string link_;
  std::uint16_t port_ = 0;
};

}  // namespace flyball::testing
