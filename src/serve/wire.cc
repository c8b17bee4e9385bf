#include "serve/wire.h"

#include <fmt/format.h>

#include <chrono>

namespace flyball::serve {

std::string http_date(std::int64_t seconds) {
  namespace c = std::chrono;
  constexpr std::string_view kDays = "SunMonTueWedThuFriSat";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const c::sys_seconds t{c::seconds(seconds)};
  const auto day = c::floor<c::days>(t);
  const c::year_month_day date(day);
  const c::hh_mm_ss time(t - day);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT",
                     kDays.substr(3 * c::weekday(day).c_encoding(), 3), unsigned(date.day()),
                     kMonths.substr(3 * (unsigned(date.month()) - 1), 3), int(date.year()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string response_head(const Response& response) {
  std::string out =
      fmt::format("HTTP/1.1 {} {}\r\n", response.status, status_text(response.status));
  for (const Header& h : response.headers) {
    out += h.name;
    out += ": ";
    // A value never begins a line of its own, whatever it was made from.
    for (const char c : h.value) out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
    out += "\r\n";
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  out += "Date: " + http_date(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  if (response.feed) {
    out += "\r\nTransfer-Encoding: chunked";
  } else if (response.status != 204 && response.status != 304) {
    out += fmt::format("\r\nContent-Length: {}", response.body.size());
  }
  if (response.close || response.feed) out += "\r\nConnection: close";
  return out + "\r\n\r\n";
}

std::string chunk(std::string_view text) {
  return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

}  // namespace flyball::serve
