#include "app/find_models.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/caller.h"
#include "app/records.h"

namespace flyball::app {
namespace {

constexpr std::size_t kShortestBeginning = 3;
constexpr double kOfABeginning = 0.75;
constexpr std::int64_t kPage = 1000;

/// Lower case, cut where neither letter, digit nor a byte beyond ASCII stands.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0) {
      out.back() += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

double worth(const std::string& asked, const FindText& text) {
  double best = 0;
  for (const std::string& word : words_of(text.text)) {
    if (word == asked) return text.weight;
    if (asked.size() >= kShortestBeginning && word.starts_with(asked))
      best = kOfABeginning * text.weight;
  }
  return best;
}

/// MVs, CVs and DVs as the evaluator named them, with what the plant says of each.
void add_tags(const Json& metrics, const std::vector<plant::Tag>& tags,
              std::vector<FindText>& out) {
  if (!metrics.is_object() || !metrics.contains("ioSpec")) return;
  for (const char* role : {"cvs", "mvs", "dvs"}) {
    const Json& names = metrics["ioSpec"].value(role, Json::array());
    for (const Json& name : names) {
      const auto id = name.get<std::string>();
      out.push_back({"tag", id, 3});
      const auto tag = std::ranges::find(tags, id, &plant::Tag::name);
      if (tag != tags.end()) out.push_back({"description", tag->description, 2});
    }
  }
}

/// A study of a file leaves models without a historian: their tags are then not described.
std::vector<plant::Tag> known_tags(const historian::Historian* stored, const std::string& line) {
  return stored == nullptr ? std::vector<plant::Tag>{} : stored->tags(line);
}

}  // namespace

double match(std::string_view asked, const std::vector<FindText>& texts,
             std::vector<std::string>& found) {
  const std::vector<std::string> words = words_of(asked);
  if (words.empty()) return 1;
  double sum = 0;
  for (const std::string& word : words) {
    double best = 0;
    std::string_view where;
    for (const FindText& text : texts) {
      const double value = worth(word, text);
      if (value <= best) continue;
      best = value;
      where = text.where;
    }
    if (best == 0) return 0;
    sum += best;
    found.push_back(word + ": " + std::string(where));
  }
  return sum;
}

ItemsResponse App::find_models(const FindModelsRequest& request, const Call& call) {
  struct Hit {
    double score = 0;
    registry::ModelRow row;
    std::vector<std::string> found;
  };
  std::vector<Hit> hits;
  std::map<std::string, std::vector<plant::Tag>> tags;
  const auto wanted = [&](const registry::ModelRow& m) {
    return (!request.line || m.line_id == *request.line) &&
           (!request.product || m.product_id == *request.product) &&
           (!request.recipe || m.recipe_id == *request.recipe) &&
           (request.stage ? m.stage == *request.stage : m.stage != registry::Stage::retired);
  };
  const bool has_series = std::filesystem::exists(data_.path / "historian.db");
  const historian::Historian* const stored = has_series ? &historian() : nullptr;
  std::optional<std::string> cursor;
  do {
    auto page = records().registry.models(kPage, cursor);
    cursor = page.next_cursor;
    for (registry::ModelRow& m : readable(call, std::move(page.rows))) {
      if (!wanted(m)) continue;
      const auto known = tags.find(m.line_id);
      const auto& of_line =
          known != tags.end()
              ? known->second
              : tags.emplace(m.line_id, known_tags(stored, m.line_id)).first->second;
      std::vector<FindText> texts{{"line", m.line_id, 3},
                                  {"product", m.product_id, 3},
                                  {"recipe", m.recipe_id, 3},
                                  {"label", m.label, 2},
                                  {"id", m.id, 3},
                                  {"kind", m.artifact_kind, 1},
                                  {"stage", std::string(enum_name(m.stage)), 1}};
      const registry::ExperimentRow experiment = records().registry.experiment(m.experiment_id);
      texts.push_back({"trainer", experiment.trainer, 1});
      add_tags(experiment.metrics, of_line, texts);
      Hit hit{0, std::move(m), {}};
      hit.score = match(request.text, texts, hit.found);
      if (hit.score > 0) hits.push_back(std::move(hit));
    }
  } while (cursor);
  std::ranges::stable_sort(hits, std::greater{}, &Hit::score);
  ItemsResponse out;
  for (const Hit& hit : hits) {
    if (std::ssize(out.items) == request.limit) break;
    Json item = to_json_value(hit.row);
    item["score"] = hit.score;
    item["found"] = hit.found;
    out.items.push_back(std::move(item));
  }
  return out;
}

}  // namespace flyball::app
