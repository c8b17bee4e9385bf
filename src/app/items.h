#pragma once
// Rows as answers of several use cases.
#include "app/requests.h"
#include "dataset/store.h"
#include "report/study_report.h"

namespace flyball::app {

template <class Row>
ItemsResponse items(const registry::RowPage<Row>& page) {
  ItemsResponse out;
  for (const Row& row : page.rows) out.items.push_back(to_json_value(row));
  out.next_cursor = page.next_cursor;
  return out;
}

report::DatasetSummary dataset_summary(const dataset::Saved& saved, const dataset::Report& report);

}  // namespace flyball::app
