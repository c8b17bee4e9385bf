#include "core/error.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cmath>

#include "core/catalogue.h"

namespace flyball {
namespace {

constexpr std::array kInfo{
    ErrcInfo{Errc::invalid_argument, "invalid_argument", 422, 2, false},
    ErrcInfo{Errc::not_found, "not_found", 404, 3, false},
    ErrcInfo{Errc::already_exists, "already_exists", 409, 5, false},
    ErrcInfo{Errc::failed_precondition, "failed_precondition", 409, 5, false},
    ErrcInfo{Errc::unauthenticated, "unauthenticated", 401, 4, false},
    ErrcInfo{Errc::permission_denied, "permission_denied", 403, 4, false},
    ErrcInfo{Errc::resource_exhausted, "resource_exhausted", 429, 1, true},
    ErrcInfo{Errc::unavailable, "unavailable", 503, 1, true},
    ErrcInfo{Errc::cancelled, "cancelled", 499, 130, true},
    ErrcInfo{Errc::timeout, "timeout", 504, 7, true},
    ErrcInfo{Errc::corrupt_data, "corrupt_data", 422, 1, false},
    ErrcInfo{Errc::internal, "internal", 500, 1, false},
};

std::string to_text(const Param& p) {
  struct Visitor {
    /// 4 significant digits, whole numbers in full, and as many digits as tell v from 1.
    std::string operator()(double v) const {
      if (!std::isfinite(v)) return "none";
      if (v == std::round(v) && std::abs(v) < 1e15) return fmt::format("{:.0f}", v);
      return fmt::format("{:.{}g}", v, std::abs(v - 1) < 5e-4 ? 8 : 4);
    }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(const std::string& v) const { return v; }
  };
  std::string text = std::visit(Visitor{}, p.value);
  return p.unit.empty() ? text : text + (p.unit == "%" ? " %" : " " + p.unit);
}

Errc errc_of(std::string_view code) {
  const CatalogueEntry* entry = find_entry(code);
  assert(entry != nullptr && entry->errc && "a thrown code stands in the catalogue with its Errc");
  return entry != nullptr && entry->errc ? *entry->errc : Errc::internal;
}

std::string what_text(const Message& m, const std::vector<Problem>& problems) {
  std::string text = m.text();
  for (const Problem& p : problems) {
    text += "\n  " + (p.pointer.empty() ? "" : p.pointer + ": ") + p.message.text();
  }
  return text;
}

}  // namespace

const ErrcInfo& info(Errc errc) { return kInfo[static_cast<std::size_t>(errc)]; }

std::string Message::text() const {
  const CatalogueEntry* entry = find_entry(code);
  if (entry == nullptr) return code;
  std::string out;
  std::string_view rest = entry->text;
  while (!rest.empty()) {
    const auto open = rest.find('{');
    out += rest.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = rest.find('}', open);
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    bool found = false;
    for (const Param& p : params) {
      if (p.name == name) {
        out += to_text(p);
        found = true;
        break;
      }
    }
    if (!found) out += rest.substr(open, close - open + 1);
    rest.remove_prefix(close + 1);
  }
  return out;
}

Error::Error(std::string code, std::vector<Param> params, std::string pointer)
    : std::runtime_error(Message{code, params}.text()),
      errc_(errc_of(code)),
      message_{std::move(code), std::move(params)},
      pointer_(std::move(pointer)) {}

Error::Error(Message message, std::vector<Problem> problems)
    : std::runtime_error(what_text(message, problems)),
      errc_(errc_of(message.code)),
      message_(std::move(message)),
      problems_(std::move(problems)) {}

Error Error::of(std::string code, std::vector<Problem> problems) {
  Message message{std::move(code), {{"count", problems.size()}}};
  return {std::move(message), std::move(problems)};
}

}  // namespace flyball
