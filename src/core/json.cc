#include "core/json.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace flyball {
namespace {

constexpr int kMaxDepth = 64;

void write_number(double v, std::string& out) {
  if (!std::isfinite(v)) throw Error("NOT_FINITE", {{"name", "a number on a wire"}, {"value", v}});
  if (v == 0) v = 0;  // no "-0"
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, v).ptr;
  out.append(buffer, end);
}

class Writer {
 public:
  Writer(std::string& out, int indent) : out_(out), indent_(indent) {}

  void write(const Json& v, int depth) {
    switch (v.type()) {
      case Json::value_t::object: {
        if (v.empty()) { out_ += "{}"; break; }
        out_ += '{';
        bool first = true;
        for (const auto& [key, item] : v.items()) {
          separate(first, depth + 1);
          out_ += Json(key).dump();
          out_ += indent_ > 0 ? ": " : ":";
          write(item, depth + 1);
        }
        close('}', depth);
        break;
      }
      case Json::value_t::array: {
        if (v.empty()) { out_ += "[]"; break; }
        const bool flat = !v.front().is_structured();  // a row of numbers stays on one line
        out_ += '[';
        bool first = true;
        for (const auto& item : v) {
          if (flat) {
            if (!first) out_ += indent_ > 0 ? ", " : ",";
            first = false;
          } else {
            separate(first, depth + 1);
          }
          write(item, depth + 1);
        }
        if (flat) {
          out_ += ']';
        } else {
          close(']', depth);
        }
        break;
      }
      case Json::value_t::number_float: write_number(v.get<double>(), out_); break;
      default: out_ += v.dump(); break;
    }
  }

 private:
  void newline(int depth) {
    if (indent_ > 0) {
      out_ += '\n';
      out_.append(static_cast<std::size_t>(indent_ * depth), ' ');
    }
  }
  void separate(bool& first, int depth) {
    if (!first) out_ += ',';
    first = false;
    newline(depth);
  }
  void close(char bracket, int depth) {
    newline(depth);
    out_ += bracket;
  }

  std::string& out_;
  int indent_;
};

}  // namespace

std::string canonical(const Json& value) {
  std::string out;
  Writer(out, 0).write(value, 0);
  return out;
}

std::string pretty(const Json& value) {
  std::string out;
  Writer(out, 2).write(value, 0);
  return out + '\n';
}

namespace {

/// What the parser says without its own words: "line 3, column 7: unexpected '}'; expected ..".
std::string plainly(std::string text) {
  const auto cut = [&](std::string_view from, std::string_view to, std::string_view with) {
    const auto begin = text.find(from);
    const auto end = begin == std::string::npos ? begin : text.find(to, begin + from.size());
    if (end != std::string::npos) text.replace(begin, end + to.size() - begin, with);
  };
  cut("[json.exception", "] ", "");
  cut("parse error", "at ", "");
  cut("syntax error while parsing", " - ", "");
  cut("last read", ": ", "after ");
  return text;
}

}  // namespace

Json parse_json(std::string_view text, std::string_view source) {
  int depth = 0;
  const auto limit_depth = [&depth](int d, Json::parse_event_t, Json&) {
    depth = std::max(depth, d);
    return d <= kMaxDepth;
  };
  try {
    Json value = Json::parse(text, limit_depth);
    if (depth > kMaxDepth) throw Error("JSON_INVALID", {{"source", source}, {"detail", "nested deeper than 64"}});
    return value;
  } catch (const Json::exception& e) {
    std::string detail = plainly(e.what());  // quotes what it read, which may be no UTF-8
    for (char& c : detail) {
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    }
    throw Error("JSON_INVALID", {{"source", source}, {"detail", detail}});
  }
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace flyball
