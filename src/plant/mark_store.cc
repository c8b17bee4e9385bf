// The part of PlantStore that keeps marks.
#include "core/digest.h"
#include "plant/plant_store.h"
#include "plant/wire_enum.h"

namespace flyball::plant {
namespace {

constexpr std::string_view kMarks =
    "SELECT id, line_id, tag, kind, from_time, to_time, by_whom, reason, at FROM marks "
    "WHERE ?1 = '' OR line_id = ?1 ORDER BY line_id, from_time, id";
constexpr std::string_view kMark =
    "SELECT id, line_id, tag, kind, from_time, to_time, by_whom, reason, at FROM marks "
    "WHERE id = ?";
constexpr std::string_view kPut =
    "INSERT INTO marks(id, line_id, tag, kind, from_time, to_time, by_whom, reason, at) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING";
constexpr std::string_view kDrop = "DELETE FROM marks WHERE id = ?";

std::vector<Mark> read(store::Statement q) {
  std::vector<Mark> out;
  while (q.step()) {
    out.push_back({q.text(0), q.text(1), q.text(2), enum_of<MarkKind>(q.text(3)), q.integer(4),
                   q.integer(5), q.text(6), q.text(7), q.integer(8)});
  }
  return out;
}

}  // namespace

std::vector<Mark> PlantStore::marks(const std::string& line_id) const {
  return read(db_.query(kMarks, line_id));
}

Mark PlantStore::mark(const std::string& id) const {
  const std::vector<Mark> found = read(db_.query(kMark, id));
  if (found.empty())
    throw Error("NAME_MISSING",
                {{"what", "mark"}, {"name", id}, {"place", ""}, {"suggestion", ""}});
  return found.front();
}

Mark PlantStore::add_mark(Mark m) {
  (void)line(m.line_id);
  if (m.from >= m.to)
    throw Error("RANGE_EMPTY", {{"low", format_time(m.from)}, {"high", format_time(m.to)}});
  if (m.kind != MarkKind::bad && !m.tag.empty())
    throw Error("MARK_OF_TAG", {{"kind", enum_name(m.kind)}, {"tag", m.tag}});
  const Json what = Json::array({m.line_id, m.tag, enum_name(m.kind), m.from, m.to});
  m.id = "mark-" + sha256(canonical(what)).substr(0, 16);
  db_.run(kPut, m.id, m.line_id, m.tag, enum_name(m.kind), m.from, m.to, m.by, m.reason, m.at);
  return mark(m.id);
}

void PlantStore::remove_mark(const std::string& id) {
  (void)mark(id);
  db_.run(kDrop, id);
}

}  // namespace flyball::plant
