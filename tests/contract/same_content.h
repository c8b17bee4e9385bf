#pragma once
// Two historians hold the same.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "historian/historian.h"

namespace flyball::historian {

inline void expect_same(const std::vector<Sample>& a, const std::vector<Sample>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].at, b[i].at) << i;
    ASSERT_EQ(a[i].quality, b[i].quality) << i;
    ASSERT_TRUE(a[i].value == b[i].value || (std::isnan(a[i].value) && std::isnan(b[i].value)))
        << i;
  }
}

template <class R>
std::vector<std::string> texts(const std::vector<R>& records) {
  std::vector<std::string> out;
  for (const R& r : records) out.push_back(canonical(to_json_value(r)));
  return out;
}

/// Tags, runs, and every sample with the run that owns it.
inline void expect_same_content(const Historian& a, const Historian& b) {
  ASSERT_EQ(texts(a.tags("")), texts(b.tags("")));
  ASSERT_EQ(texts(a.runs({}, false)), texts(b.runs({}, false)));
  ASSERT_EQ(texts(a.runs({})), texts(b.runs({})));
  ASSERT_EQ(a.imports("", INT64_MAX).size(), b.imports("", INT64_MAX).size());
  for (const std::string& node : b.nodes("")) {
    PageRequest request;
    request.node_id = node;
    expect_same(read_all(a, request), read_all(b, request));
    for (const plant::Run& run : b.runs({})) {
      request.filter = {run.line_id, {}, {}, run.id};
      expect_same(read_all(a, request), read_all(b, request));
    }
  }
}

}  // namespace flyball::historian
