#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/study_sections.h"
#include "report/text.h"

namespace flyball::report::study {
namespace {

Html sentence(const StudyReport& report) {
  if (!report.gates) return say("REPORT_VERDICT_NO_MODEL");
  if (!report.model && !report.next_steps.empty())
    return say("REPORT_VERDICT_BEFORE_FIT", {{"why", report.next_steps.front().text}});
  const auto& checks = report.gates->checks;
  const auto failed = std::ranges::count(checks, false, &gates::Check::pass);
  if (report.verdict == "pass") return say("REPORT_VERDICT_PASS", {{"count", checks.size()}});
  std::string names;
  for (const gates::Check& c : checks) {
    if (!c.pass) names += (names.empty() ? "" : ", ") + c.id + " (" + c.name + ")";
  }
  return say("REPORT_VERDICT_REFUSED",
             {{"failed", failed}, {"count", checks.size()}, {"gates", names}});
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& n : names) out += (out.empty() ? "" : ", ") + n;
  return out.empty() ? "–" : out;
}

bool is_static(const StudyReport& report) {
  return report.model && report.model->artifact_kind == "static_response@1";
}

Html next_steps(const StudyReport& report) {
  if (report.next_steps.empty()) {
    if (report.verdict == "pass")
      return paragraph(
          say(is_static(report) ? "REPORT_NEXT_STATIC_PASS" : "REPORT_NEXT_NONE_PASS"));
    return paragraph(say(report.gates ? "REPORT_NEXT_NONE_REFUSED" : "REPORT_NEXT_NONE_NO_MODEL"));
  }
  Html items;
  for (const Words& s : report.next_steps) items += element("li", "", s.text);
  return element("ol", "", items);
}

/// The few numbers that a reader looks for first.
Html glance(const StudyReport& report, const StudyPictures& pictures) {
  Html out;
  const auto add = [&](std::string_view name, const std::string& value) {
    out += element("div", "", element("dt", "", name) + element("dd", "", value));
  };
  constexpr std::size_t kMostFits = 8;
  std::size_t fits = 0;
  for (const evaluate::FreeRunFit& f : report.free_run_fit) {
    if (f.block != dataset::Part::test || ++fits > kMostFits) continue;
    add("free-run fit " + f.cv + ", test", f.percent ? fixed(f.percent, 1) + "\u00A0%" : "–");
  }
  if (is_static(report) && report.evaluation.is_object()) {
    for (const Json& cv : report.evaluation["oneStepTest"]["perTarget"]) {
      if (++fits <= kMostFits && cv["nrmse"].is_number())
        add("error " + cv["cv"].get<std::string>() + ", test",
            number(100 * cv["nrmse"].get<double>(), 3) + "\u00A0% of spread");
    }
  }
  if (report.dataset) add("time steps used", count(report.dataset->row_count));
  if (pictures.beat_ms > 0) add("beat", duration(pictures.beat_ms / 1000));
  if (!pictures.mvs.empty()) add("MV", joined(pictures.mvs));
  if (!pictures.dvs.empty()) add("DV", joined(pictures.dvs));
  if (!pictures.cvs.empty()) add("CV", joined(pictures.cvs));
  if (report.model) add("model", report.model->id.value_or("not registered"));
  return out.empty() ? out : element("dl", "glance", out);
}

/// Which side of the limit passes. G2 is an improvement for linear models and an error for
/// networks: the outcome tells which.
bool passes_above(const std::string& id, std::optional<double> value, double limit, bool pass) {
  if (id == "G2" && value && *value != limit) return pass == (*value > limit);
  return id == "G2" || id == "G4" || id == "G5" || id == "informative";
}

std::string limit_text(const std::string& id, std::optional<double> value,
                       std::optional<double> limit, bool pass) {
  if (!limit) return "–";
  return (passes_above(id, value, *limit, pass) ? "≥\u00A0" : "≤\u00A0") + number(limit, 6);
}

/// The reasons of the gates that failed.
Html reasons(const StudyReport& report) {
  if (!report.gates || report.gates->reasons.empty()) return {};
  Html items;
  std::vector<std::string> said;
  for (const Words& w : report.gates->reasons) {
    if (std::ranges::find(said, w.text) != said.end()) continue;
    said.push_back(w.text);
    items += element("li", "", w.text);
  }
  return element("h2", "", "Why") + element("ul", "", items);
}

/// G1-G3 of each CV.
Html per_cv(const std::vector<gates::Check>& checks) {
  Table t{"Gates per CV; the mean over CVs decides",
          {{"CV", false},
           {"gate", false},
           {"result", false},
           {"value", true},
           {"limit", true},
           {"compare with", true}},
          {},
          ""};
  for (const gates::Check& c : checks) {
    for (const gates::CvCheck& v : c.per_cv) {
      t.rows.push_back({v.cv, c.id, mark(v.pass), number(v.value),
                        limit_text(c.id, v.value, v.threshold, v.pass), number(v.reference)});
    }
  }
  return t.rows.empty() ? Html() : folded("Per CV", say("REPORT_GATES_PER_CV") + table(t));
}

/// The limits that were raised, and the reason that somebody wrote.
Html loosened(const gates::GateReport& report) {
  Table t{"Limits that were loosened", {{"limit", false}, {"written reason", false}}, {}, ""};
  for (const auto& [name, why] : report.loosened) t.rows.push_back({name, why});
  return t.rows.empty() ? Html() : table(t);
}

}  // namespace

Html verdict(const StudyReport& report, const StudyPictures& pictures) {
  const bool pass = report.verdict == "pass";
  const Html word = Html(pass ? "✔ Pass" : "✖ Refused");
  return element("div", pass ? "banner" : "banner refused",
                 paragraph(word, "word") + paragraph(sentence(report)) + reasons(report) +
                     element("h2", "", "What to do next") + next_steps(report)) +
         glance(report, pictures);
}

Html gate_table(const StudyReport& report) {
  if (!report.gates || report.gates->checks.empty())
    return paragraph(say("REPORT_GATES_NONE"), "quiet");
  const gates::GateReport& gates = *report.gates;
  Table t{fmt::format("Gates, policy {}, settings version {}",
                      gates.policy.empty() ? "–" : gates.policy, gates.settings_version),
          {{"gate", false},
           {"result", false},
           {"value", true},
           {"limit", true},
           {"limit from", false},
           {"reason", false}},
          {},
          "gates"};
  for (const gates::Check& c : gates.checks) {
    t.rows.push_back({Html(c.id) + element("span", "origin", c.name), mark(c.pass), number(c.value),
                      limit_text(c.id, c.value, c.threshold, c.pass),
                      element("span", "origin", c.threshold ? c.source : "–"), c.detail});
  }
  return paragraph(say("REPORT_GATES_ABOUT")) + table(t) + per_cv(gates.checks) + loosened(gates);
}

}  // namespace flyball::report::study
