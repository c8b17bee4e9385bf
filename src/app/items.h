#pragma once
// Rows as answers of several use cases.
#include "app/requests.h"
#include "dataset/store.h"
#include "report/study_report.h"

namespace flyball::app {

/// Of any list with rows and a cursor.
template <class Page>
ItemsResponse items(const Page& page) {
  ItemsResponse out;
  for (const auto& row : page.rows) out.items.push_back(to_json_value(row));
  out.next_cursor = page.next_cursor;
  return out;
}

/// One page of a list whose rows have names: the cursor is the name of the last row.
template <class Row, class Name>
ItemsResponse page(const std::vector<Row>& rows, Name name, std::int64_t limit,
                   const std::optional<std::string>& cursor) {
  std::size_t at = 0;
  if (cursor) {
    while (at < rows.size() && name(rows[at]) != *cursor) ++at;
    if (at == rows.size()) throw Error("CURSOR_INVALID", {{"cursor", *cursor}}, "/cursor");
    ++at;
  }
  ItemsResponse out;
  for (; at < rows.size(); ++at) {
    if (static_cast<std::int64_t>(out.items.size()) == limit) {
      out.next_cursor = name(rows[at - 1]);
      break;
    }
    out.items.push_back(to_json_value(rows[at]));
  }
  return out;
}

report::DatasetSummary dataset_summary(const dataset::Saved& saved, const dataset::Report& report);

}  // namespace flyball::app
