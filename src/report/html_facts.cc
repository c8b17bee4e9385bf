#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/text.h"

namespace flyball::report {
namespace {

constexpr std::size_t kLongestList = 12;

std::string scalar(const Json& v) {
  if (v.is_null()) return "–";
  if (v.is_boolean()) return v.get<bool>() ? "yes" : "no";
  if (v.is_number_integer()) return std::to_string(v.get<std::int64_t>());
  if (v.is_number()) return number(v.get<double>(), 6);
  return v.is_string() ? v.get<std::string>() : v.dump();
}

bool is_list_of_objects(const Json& v) {
  return v.is_array() && !v.empty() && v.front().is_object();
}

/// A list of single values in one line; nested or long ones by their size.
std::string list_text(const Json& v) {
  bool flat = v.size() <= kLongestList;
  for (const Json& item : v) flat = flat && !item.is_structured();
  if (!flat) return count(std::int64_t(v.size())) + " values";
  std::string out;
  for (const Json& item : v) out += (out.empty() ? "" : ", ") + scalar(item);
  return out.empty() ? "none" : out;
}

std::string cell_text(const Json& v) {
  if (v.is_array()) return list_text(v);
  if (!v.is_object()) return scalar(v);
  std::string out;
  for (const auto& [key, item] : v.items()) {
    out += (out.empty() ? "" : ", ") + in_words(key) + " " +
           (item.is_structured() ? "…" : scalar(item));
  }
  return out;
}

struct Collected {
  std::vector<std::vector<Html>> singles;
  std::vector<std::pair<std::string, const Json*>> lists;
};

void collect(const Json& object, const std::string& prefix, Collected& out) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = prefix + in_words(key);
    if (value.is_object()) {
      collect(value, name + " · ", out);
    } else if (is_list_of_objects(value)) {
      out.lists.emplace_back(name, &value);
    } else {
      out.singles.push_back({name, cell_text(value)});
    }
  }
}

bool is_numeric(const Json& list, const std::string& key) {
  return std::ranges::all_of(list, [&](const Json& item) {
    return !item.contains(key) || item[key].is_number() || item[key].is_null();
  });
}

Html list_table(const std::string& caption, const Json& list) {
  Table t{caption, {}, {}, ""};
  std::vector<std::string> keys;
  for (const Json& item : list) {
    if (!item.is_object()) continue;
    for (const auto& [key, value] : item.items()) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  std::ranges::stable_partition(keys,
                                [&](const std::string& key) { return !is_numeric(list, key); });
  for (const auto& key : keys) t.columns.push_back({in_words(key), is_numeric(list, key)});
  for (const Json& item : list) {
    std::vector<Html> row;
    for (const auto& key : keys) row.emplace_back(item.contains(key) ? cell_text(item[key]) : "–");
    t.rows.push_back(std::move(row));
  }
  return table(t);
}

/// An object of at least two flat objects is a table: its keys are the row headings.
bool is_table(const Json& object) {
  return object.size() > 1 && std::ranges::all_of(object, [](const Json& row) {
           return row.is_object() && !row.empty() &&
                  std::ranges::none_of(row, [](const Json& v) { return v.is_structured(); });
         });
}

Html keyed_table(const std::string& caption, const Json& object) {
  Table t{caption, {{"what", false}}, {}, ""};
  std::vector<std::string> keys;
  for (const Json& row : object) {
    for (const auto& [key, value] : row.items()) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  for (const auto& key : keys) {
    const bool numeric = std::ranges::all_of(object, [&](const Json& row) {
      return !row.contains(key) || row[key].is_number() || row[key].is_null();
    });
    t.columns.push_back({in_words(key), numeric});
  }
  for (const auto& [name, row] : object.items()) {
    std::vector<Html> cells{name};
    for (const auto& key : keys) cells.emplace_back(row.contains(key) ? scalar(row[key]) : "–");
    t.rows.push_back(std::move(cells));
  }
  return table(t);
}

}  // namespace

Html facts(const Json& object, const std::string& caption) {
  if (!object.is_object()) {
    return is_list_of_objects(object) ? list_table(caption, object) : Html();
  }
  if (is_table(object)) return keyed_table(caption, object);
  Collected all;
  collect(object, "", all);
  Html out;
  if (!all.singles.empty())
    out += table({caption, {{"what", false}, {"value", false}}, all.singles, "facts"});
  for (const auto& [name, list] : all.lists) out += list_table(caption + ": " + name, *list);
  return out;
}

}  // namespace flyball::report
