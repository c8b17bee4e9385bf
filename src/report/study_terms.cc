#include "report/study_terms.h"

#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {

Html terms(const StudyReport& report) {
  if (!report.identification.is_object()) return {};
  const auto found = report.identification.find("terms");
  if (found == report.identification.end() || found->empty()) return {};
  Table t{"Terms, of deviations from the train mean in train standard deviations",
          {{"CV", false},
           {"term", false},
           {"coefficient", true},
           {"standard error", true},
           {"ERR", true}},
          {},
          ""};
  for (const Json& term : *found) {
    const double err = value_of(term, "err");
    t.rows.push_back({term["cv"].get<std::string>(), term["term"].get<std::string>(),
                      number(value_of(term, "coefficient"), 4),
                      number(value_of(term, "stdError"), 2),
                      err != 0 ? fixed(100 * err, 2) + "\u00A0%" : "–"});
  }
  return paragraph(say("REPORT_TERMS_ABOUT")) + table(t);
}

}  // namespace flyball::report::study
