#include "cli/study_text.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace flyball::cli {
namespace {

std::string number(const Json& v, const char* format = "{:.4g}") {
  return v.is_number() ? fmt::format(fmt::runtime(format), v.get<double>()) : "-";
}

std::string head(const std::string& label) {
  return fmt::format("{:<12}", label);
}

std::string import_line(const Json& i) {
  if (i.is_null()) return "";
  return head("rows") + fmt::format("{} in = {} stored + {} rejected + {} merged\n",
                                    i["rowsIn"].dump(), i["stored"].dump(), i["rejected"].dump(),
                                    i["merged"].dump());
}

std::string dataset_line(const Json& d) {
  if (d.is_null()) return "";
  std::string out =
      head("dataset") + fmt::format("{}, {} usable steps, runs {}\n", d["id"].get<std::string>(),
                                    d["rowCount"].dump(), d["runsUsed"].size());
  for (const Json& r : d["runsDropped"])
    out += head("") + "left out: run " + r["run"].get<std::string>() + ": " +
           r["reason"].get<std::string>() + '\n';
  return out;
}

std::string dead_time_lines(const Json& pairs) {
  std::string out;
  for (const Json& p : pairs) {
    out += head(out.empty() ? "dead time" : "") + p["mv"].get<std::string>() + " → " +
           p["cv"].get<std::string>() + ": ";
    if (p["steps"].is_null()) {
      out += p["note"].get<std::string>();
    } else {
      out += p["steps"].dump() + " steps";
      if (!p["low"].is_null()) out += " (" + p["low"].dump() + ".." + p["high"].dump() + ")";
    }
    if (!p["steps"].is_null() && !p["note"].get<std::string>().empty())
      out += "; " + p["note"].get<std::string>();
    out += '\n';
  }
  return out;
}

/// Of auto@1 and subspace@1: the model of each CV.
std::string model_lines(const Json& identification) {
  std::string out;
  if (!identification.is_object() || !identification.contains("leaderboard")) return out;
  for (const Json& row : identification["leaderboard"]) {
    if (row["reason"] != "chosen") continue;
    out += head(out.empty() ? "model" : "") +
           fmt::format("{}: {}, order {}, F-step error {} on the folds\n",
                       row["cv"].get<std::string>(), row["trainer"].get<std::string>(),
                       row["order"].dump(), number(row["score"]));
  }
  return out;
}

/// Of static_response@1: points, and the surface of each CV with its gains.
std::string surface_lines(const Json& identification) {
  if (!identification.is_object() || !identification.contains("static")) return "";
  const Json& f = identification["static"];
  std::string out =
      head("points") + fmt::format("{} train, {} val, {} test ({})\n", f["trainPoints"].dump(),
                                   f["valPoints"].dump(), f["testPoints"].dump(),
                                   f["rule"]["points"].get<std::string>());
  for (const Json& cv : f["cvs"]) {
    out += head(&cv == &f["cvs"].front() ? "surface" : "") +
           fmt::format("{}: {}, {} parameters, error {} of groups left out; {}\n",
                       cv["cv"].get<std::string>(), cv["basis"].get<std::string>(),
                       cv["parameters"].dump(), number(cv["score"]),
                       cv["lackOfFit"]["note"].get<std::string>());
    for (const Json& g : cv["gains"])
      out += head("") + fmt::format("{} → {}: {} ± {}, sign {}\n", g["input"].get<std::string>(),
                                    cv["cv"].get<std::string>(), number(g["centre"]),
                                    number(g["stdError"], "{:.2g}"), g["sign"].get<std::string>());
  }
  return out;
}

std::string fit_lines(const Json& fits) {
  std::map<std::string, std::map<std::string, std::string>> by_cv;
  std::vector<std::string> order;
  for (const Json& f : fits) {
    const auto cv = f["cv"].get<std::string>();
    if (!by_cv.contains(cv)) order.push_back(cv);
    by_cv[cv][f["block"].get<std::string>()] =
        f["percent"].is_null() ? "none" : number(f["percent"], "{:.1f} %");
  }
  std::string out;
  for (const auto& cv : order) {
    out += head(out.empty() ? "free run" : "") + cv + ":";
    for (const char* block : {"train", "val", "test"}) {
      if (by_cv[cv].contains(block)) out += fmt::format("  {} {}", block, by_cv[cv][block]);
    }
    out += '\n';
  }
  return out;
}

/// Text in lines of at most `width` columns, each after `indent` blanks.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string out(indent, ' ');
  std::size_t used = 0;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (used > 0 && used + 1 + width(word) > columns) {
      out += '\n' + std::string(indent, ' ');
      used = 0;
    }
    out += (used > 0 ? " " : "") + word;
    used += width(word) + (used > 0 ? 1 : 0);
  }
  return out + '\n';
}

/// The half width of each CV's band and what test blocks said of it.
std::string uq_text(const Json& report) {
  const Json& uq = report["uq"];
  if (uq.is_null()) return report["uqReason"].get<std::string>();
  std::string out;
  for (std::size_t j = 0; j < uq["cvs"].size(); ++j) {
    out += fmt::format("{}{} ±{}", j > 0 ? ", " : "", uq["cvs"][j].get<std::string>(),
                       number(uq["qhatPerCv"][j]));
  }
  out += fmt::format(" over {} steps ({}; holds in {:.0f} % of {} test blocks",
                     uq["horizon"].dump(), uq["method"].get<std::string>(),
                     100 * uq["coverageTest"].get<double>(), uq["nTestBlocks"].dump());
  if (uq["covered"].get<bool>()) return out + ")";
  return out + fmt::format(", {:.0f} % are needed: do not rely on the bands)",
                           100 * uq["coverageThreshold"].get<double>());
}

std::string gate_lines(const Json& gates, const Style& style) {
  if (gates.is_null()) return "";
  std::string out;
  for (const Json& c : gates["checks"]) {
    const bool pass = c["pass"].get<bool>();
    out += fmt::format("{} {:<12}{:<42} {:>9}  (limit {})\n",
                       pass ? style.good("pass") : style.bad("FAIL"), c["id"].get<std::string>(),
                       c["name"].get<std::string>(), number(c["value"]),
                       number(c["threshold"], "{:.6g}"));
    if (!pass) out += wrapped(c["detail"].get<std::string>(), 17, 90);
  }
  return out;
}

}  // namespace

std::string print_study(const Json& r, const Style& style) {
  std::string out = import_line(r["import"]) + dataset_line(r["dataset"]) +
                    dead_time_lines(r["deadTimes"]) +
                    model_lines(r.value("identification", Json())) +
                    surface_lines(r.value("identification", Json())) + fit_lines(r["freeRunFit"]);
  const bool fitted = !r["model"].is_null();
  if (fitted) out += gate_lines(r["gates"], style);
  const bool pass = r["verdict"] == "pass";
  out += head("verdict") + (pass ? style.good("PASS") : style.bad("REFUSED"));
  if (!fitted) out += " before a model was fitted; no gate was judged";
  if (pass && !r["model"].is_null()) out += ": candidate " + r["model"]["id"].get<std::string>();
  out += '\n';
  if (fitted) out += head("uncertainty") + wrapped(uq_text(r), 12, 90).substr(12);
  bool first = true;
  for (const Json& s : r["nextSteps"]) {
    out +=
        head(first ? "next" : "") + "- " + wrapped(s["text"].get<std::string>(), 14, 90).substr(14);
    first = false;
  }
  const Json& p = r["provenance"];
  if (p.is_object() && p.contains("reportHtml"))
    out += head("report") + p["reportHtml"].get<std::string>() + '\n';
  return out;
}

}  // namespace flyball::cli
