#pragma once
// Requests of the operations on marks.
#include "app/dataset_requests.h"
#include "plant/records.h"

namespace flyball::app {

struct MarkListRequest {
  std::optional<std::string> line, tag;
  std::optional<plant::MarkKind> kind;
  std::optional<TimeUs> from, to;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using M = MarkListRequest;
    return FieldList{field("line", &M::line, "of this line; default: of all"),
                     field("tag", &M::tag, "that concern this tag"),
                     field("kind", &M::kind, "bad, steady or batch"),
                     field("from", &M::from, "that end after this time").unit("us"),
                     field("to", &M::to, "that begin before this time").unit("us"),
                     field("limit", &M::limit, "items a page").range(1, 1000),
                     field("cursor", &M::cursor, "nextCursor of the page before")};
  }
};

struct MarkAddRequest {
  plant::MarkKind kind = plant::MarkKind::bad;
  std::string line = "default", tag;
  TimeUs from = 0, to = 0;
  std::optional<std::string> by;
  std::string reason;
  static constexpr auto fields() {
    using M = MarkAddRequest;
    return FieldList{
        field(
            "kind", &M::kind,
            "bad: not to be used; steady: at an operating point; batch: one batch of a longer run")
            .required()
            .positional(),
        field("line", &M::line, "line"),
        field("tag", &M::tag, "of a bad stretch: only this tag; default: all of the line"),
        field("from", &M::from, "begin").unit("us").required(),
        field("to", &M::to, "end, exclusive").unit("us").required(),
        field("by", &M::by, "who marks it; default: the user of the system"),
        field("reason", &M::reason, "why").max_length(500)};
  }
};

}  // namespace flyball::app
