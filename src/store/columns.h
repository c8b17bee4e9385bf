#pragma once
// Columns that hold what a record holds: names of an enumeration, JSON, whole records. What cannot
// be read is DATABASE_CORRUPT.
#include "core/record.h"
#include "store/sqlite.h"

namespace flyball::store {

[[noreturn]] inline void throw_unknown_value(const std::string& text) {
  throw Error("DATABASE_CORRUPT", {{"path", "flyball.db"}, {"reason", "unknown value " + text}});
}

template <NamedEnum E>
E enum_column(const Statement& q, int column) {
  const std::string text = q.text(column);
  const auto names = enum_names(E{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<E>(i);
  }
  throw_unknown_value(text);
}

/// null for NULL.
inline Json json_column(const Statement& q, int column) {
  const auto text = q.text_or_none(column);
  return text ? parse_json(*text, "flyball.db") : Json();
}

template <Record R>
std::optional<R> record_column(const Statement& q, int column) {
  const Json value = json_column(q, column);
  if (value.is_null()) return std::nullopt;
  return parse_record<R>(value, "DATABASE_RECORD");
}

/// NULL for null.
inline std::optional<std::string> json_text(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(canonical(value));
}

template <Record R>
std::optional<std::string> record_text(const std::optional<R>& record) {
  return record ? std::optional(canonical(to_json_value(*record))) : std::nullopt;
}

}  // namespace flyball::store
