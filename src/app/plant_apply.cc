#include "app/plant_apply.h"

#include <algorithm>
#include <unordered_map>

#include "plant/rules.h"

namespace flyball::app {
namespace {

using plant::Author;
using plant::Change;
using plant::ContextSegment;
using plant::PlantFile;
using plant::SegmentStatus;

historian::Filter of_line(const std::string& line) {
  historian::Filter filter;
  filter.line_id = line;
  return filter;
}

/// Records of one kind by their names: the first of each.
template <class R>
class ByName {
 public:
  ByName(const std::vector<R>& all, std::string R::*name) : all_(all) {
    for (std::size_t i = 0; i < all.size(); ++i) at_.emplace(all[i].*name, i);
  }
  /// nullptr: there is none.
  [[nodiscard]] const R* find(const std::string& name) const {
    const auto it = at_.find(name);
    return it == at_.end() ? nullptr : &all_[it->second];
  }

 private:
  const std::vector<R>& all_;
  std::unordered_map<std::string, std::size_t> at_;
};

/// `all` with each of `given` in the place of the one of its name, or at the end.
template <class R>
std::vector<R> merged(std::vector<R> all, const std::vector<R>& given, std::string R::*name) {
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < all.size(); ++i) at.emplace(all[i].*name, i);
  for (const R& record : given) {
    const auto [it, fresh] = at.emplace(record.*name, all.size());
    if (fresh) {
      all.push_back(record);
    } else {
      all[it->second] = record;
    }
  }
  return all;
}

template <class R, class Name>
const R* find(const std::vector<R>& all, const Name& value, Name R::*name) {
  const auto it = std::ranges::find(all, value, name);
  return it == all.end() ? nullptr : &*it;
}

/// Applies a file inside one transaction of each store and collects what is refused.
class Application {
 public:
  Application(const Plant& plant, const PlantFile& file, const Author& author)
      : plant_(plant),
        file_(file),
        author_(author),
        stored_tags_(plant.historian.tags(file.line.id)),
        stored_runs_(plant.historian.runs(of_line(file.line.id), false)),
        tags_(merged(stored_tags_, file.tags, &plant::Tag::name)),
        runs_(merged(stored_runs_, file.runs, &plant::Run::id)),
        writer_(plant.historian.begin()) {}

  PlantApplyResponse run(bool dry_run) {
    response_.line = file_.line.id;
    response_.dry_run = dry_run;
    store::Transaction transaction(plant_.db);
    attempt("/line", [&] { note("line", file_.line.id, plant_.store.put(file_.line)); });
    if (problems_.empty()) {
      tags();
      each("/products", file_.products,
           [&](const plant::Product& p) { note("product", p.id, plant_.store.put(p, tags_)); });
      each("/recipes", file_.recipes, [&](const auto& r) { recipe(r); });
      runs();
      segments();
    }
    if (!problems_.empty()) throw Error::of("PLANT_FILE_INVALID", std::move(problems_));
    if (!dry_run) {
      // Tags first: a crash between the two leaves tags that nothing refers to yet, and applying
      // the file again completes it.
      writer_->commit();
      transaction.commit();
    }
    return std::move(response_);
  }

 private:
  /// What an input can be blamed for becomes a problem of the file; anything else is thrown on.
  template <class F>
  void attempt(const std::string& at, F&& f) {
    try {
      f();
    } catch (const Error& e) {
      const Errc errc = e.errc();
      if (errc != Errc::invalid_argument && errc != Errc::not_found &&
          errc != Errc::already_exists && errc != Errc::failed_precondition &&
          e.code() != "RECIPE_HISTORY")
        throw;
      if (e.problems().empty()) problems_.push_back({at + e.pointer(), e.message()});
      for (const Problem& p : e.problems()) problems_.push_back({at + p.pointer, p.message});
    }
  }

  template <class R, class F>
  void each(const std::string& list, const std::vector<R>& items, F&& f) {
    for (std::size_t i = 0; i < items.size(); ++i)
      attempt(list + "/" + std::to_string(i), [&] { f(items[i]); });
  }

  void note(const char* what, const std::string& name, Change change) {
    if (change == Change::unchanged) {
      ++response_.unchanged;
      return;
    }
    ++(change == Change::created ? response_.created : response_.changed);
    response_.changes.push_back({what, name, change});
  }

  template <class R>
  static Change change_of(const R* old, const R& now) {
    if (old == nullptr) return Change::created;
    return to_json_value(*old) == to_json_value(now) ? Change::unchanged : Change::changed;
  }

  void tags() {
    const ByName stored(stored_tags_, &plant::Tag::name);
    for (std::size_t i = 0; i < file_.tags.size(); ++i) {
      const plant::Tag& tag = file_.tags[i];
      const std::string at = "/tags/" + std::to_string(i);
      const plant::Tag* old = stored.find(tag.name);
      plant::check(tag, tags_, at, problems_);
      if (old != nullptr) check_stored(plant_.historian, *old, tag, false, at, problems_);
      if (const auto said = plant::unit_note(tag)) response_.notes.push_back(said->text());
      const Change change = change_of(old, tag);
      note("tag", tag.name, change);
      if (change != Change::unchanged && problems_.empty()) writer_->put_tag(tag);
    }
  }

  void recipe(const PlantFile::WithHistory& given) {
    const plant::Recipe& r = given.recipe;
    const plant::RecipeKey key{r.line_id, r.product_id, r.id};
    const bool known = plant_.store.find_recipe(key).has_value();
    if (known) {
      check_history(key, given.versions);
    } else if (!given.versions.empty()) {
      plant_.store.restore(r, given.versions);
    }
    const Change change = plant_.store.put(r, tags_, author_);
    note("recipe", r.product_id + "/" + r.id, known ? change : Change::created);
  }

  /// The file's versions are those of the store, up to the newest of it.
  void check_history(const plant::RecipeKey& key,
                     const std::vector<plant::RecipeVersion>& versions) const {
    if (versions.empty()) return;
    const auto stored = plant_.store.recipe_versions(key);
    const auto same = [](const plant::RecipeVersion& a, const plant::RecipeVersion& b) {
      return a.version == b.version && a.content_hash == b.content_hash;
    };
    const auto [a, b] = std::ranges::mismatch(stored, versions, same);
    if (a == stored.end() && b == versions.end()) return;
    throw Error("RECIPE_DIVERGED",
                {{"recipe", key.id}, {"version", a != stored.end() ? a->version : b->version}});
  }

  void runs() {
    const ByName stored(stored_runs_, &plant::Run::id);
    const ByName segments(file_.segments, &ContextSegment::run_id);
    each("/runs", file_.runs, [&](const plant::Run& r) {
      (void)plant_.store.recipe({r.line_id, r.product_id, r.recipe_id});
      check_run(r, runs_);
      const plant::Run* old = stored.find(r.id);
      const Change change = change_of(old, r);
      if (change != Change::unchanged) {
        writer_->put_run(r);
        if (segments.find(r.id) == nullptr) plant_.store.draft_run(r);
      }
      note("run", r.id, change);
    });
  }

  void segments() {
    const ByName runs(runs_, &plant::Run::id);
    each("/segments", file_.segments,
         [&](const ContextSegment& s) { segment(s, runs.find(s.run_id)); });
  }

  void segment(ContextSegment given, const plant::Run* run) {
    if (run == nullptr)
      throw Error("RUN_MISSING", {{"run", given.run_id}, {"line", file_.line.id}}, "/runId");
    if (given.from < run->started_at || (run->ended_at && given.to > *run->ended_at))
      throw Error(
          "SEGMENT_OUTSIDE_RUN",
          {{"run", run->id}, {"from", format_time(given.from)}, {"to", format_time(given.to)}});
    given.product_id = run->product_id;
    given.recipe_id = run->recipe_id;
    given.evidence = run->evidence;
    const auto before = plant_.store.segments({given.line_id, given.run_id, {}});
    ContextSegment now = plant_.store.draft(given);
    if (!given.recipe_content_hash.empty() && given.recipe_content_hash != now.recipe_content_hash)
      throw Error("RECIPE_DIVERGED", {{"recipe", now.recipe_id}, {"version", now.recipe_version}},
                  "/recipeContentHash");
    if (given.status != SegmentStatus::draft && given.status != now.status)
      now = decide(given, now.id);
    note("segment", now.id, change_of(find(before, now.id, &ContextSegment::id), now));
  }

  /// Decisions as the file tells them: who decided, and when. A rejected segment that had been
  /// confirmed keeps both on record.
  ContextSegment decide(const ContextSegment& given, const std::string& id) {
    const Author confirmer{given.confirmed_by.value_or(""), given.confirmed_at.value_or(author_.at),
                           given.reason};
    const Author rejecter{given.rejected_by.value_or(""), given.rejected_at.value_or(author_.at),
                          given.reason};
    if (given.status == SegmentStatus::confirmed) {
      if (given.rejected_by) plant_.store.reject(id, rejecter);
      return plant_.store.confirm(id, confirmer);
    }
    if (given.confirmed_by && plant_.store.segment(id).status == SegmentStatus::draft)
      plant_.store.confirm(id, confirmer);
    return plant_.store.reject(id, rejecter);
  }

  const Plant& plant_;
  const PlantFile& file_;
  const Author& author_;
  const std::vector<plant::Tag> stored_tags_;
  const std::vector<plant::Run> stored_runs_;
  std::vector<plant::Tag> tags_;  ///< stored ones and those of the file
  std::vector<plant::Run> runs_;
  std::unique_ptr<historian::Writer> writer_;
  std::vector<Problem> problems_;
  PlantApplyResponse response_;
};

}  // namespace

PlantApplyResponse apply_plant(const Plant& plant, const PlantFile& file, const Author& author,
                               bool dry_run) {
  return Application(plant, file, author).run(dry_run);
}

PlantFile read_plant(const Plant& plant, const std::string& line) {
  PlantFile out;
  out.line = plant.store.line(line);
  out.tags = plant.historian.tags(line);
  out.products = plant.store.products(line);
  for (const plant::Recipe& r : plant.store.recipes(line))
    out.recipes.push_back({r, plant.store.recipe_versions({r.line_id, r.product_id, r.id})});
  out.runs = plant.historian.runs(of_line(line), false);
  out.segments = plant.store.segments({line, "", {}});
  return out;
}

}  // namespace flyball::app
