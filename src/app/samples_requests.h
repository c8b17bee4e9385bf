#pragma once
// Requests and responses of the operations on stored samples.
#include "core/record.h"
#include "core/time.h"

namespace flyball::app {

struct SamplesRequest {
  std::string line, tag;
  std::optional<std::string> product, recipe, run;
  std::optional<TimeUs> from, to;
  std::int64_t limit = 1000;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using S = SamplesRequest;
    return FieldList{field("tag", &S::tag, "short name").required().positional(),
                      field("line", &S::line, "line of the tag").required(),
                      field("product", &S::product, "only runs that made it"),
                      field("recipe", &S::recipe, "only runs of it"),
                      field("run", &S::run, "only this run"),
                      field("from", &S::from, "first time").unit("us"),
                      field("to", &S::to, "end, exclusive").unit("us"),
                      field("limit", &S::limit, "samples a page").range(1, 100'000),
                      field("cursor", &S::cursor, "nextCursor of the page before")};
  }
};

/// A gap on a wire is a null value with its quality.
struct SampleRow {
  std::string time;
  std::optional<double> value;
  std::string state;
  std::string quality;
  static constexpr auto fields() {
    using S = SampleRow;
    return FieldList{field("time", &S::time, "RFC 3339"),
                      field("value", &S::value, "null where no number is known").nullable(),
                      field("state", &S::state, "of a digital tag: the text of the code"),
                      field("quality", &S::quality, "good, or the OPC UA status code")};
  }
};

struct SamplesResponse {
  std::string tag, unit;
  std::vector<SampleRow> items;
  std::optional<std::string> next_cursor;
  static constexpr auto fields() {
    using S = SamplesResponse;
    return FieldList{field("tag", &S::tag, "short name"), field("unit", &S::unit, "unit"),
                      field("items", &S::items, "oldest first"),
                      field("nextCursor", &S::next_cursor, "absent on the last page")};
  }
};

struct AggregateRequest {
  std::string line, tag;
  std::optional<std::string> product, recipe, run;
  std::optional<TimeUs> from, to;
  DurationUs bucket = 3'600'000'000;
  static constexpr auto fields() {
    using A = AggregateRequest;
    return FieldList{field("tag", &A::tag, "short name").required().positional(),
                      field("line", &A::line, "line of the tag").required(),
                      field("product", &A::product, "only runs that made it"),
                      field("recipe", &A::recipe, "only runs of it"),
                      field("run", &A::run, "only this run"),
                      field("from", &A::from, "default: the first run's start").unit("us"),
                      field("to", &A::to, "default: the last run's end").unit("us"),
                      field("bucket", &A::bucket, "length of a bucket, such as 10min; default 1h")
                          .range(1, 8.64e13)
                          .unit("us")};
  }
};

struct BucketRow {
  std::string from;
  std::int64_t count = 0;
  std::optional<double> mean, min, max;
  double good_share = 0;
  static constexpr auto fields() {
    using B = BucketRow;
    return FieldList{field("from", &B::from, "RFC 3339"),
                      field("count", &B::count, "samples in it"),
                      field("mean", &B::mean, "weighted by time; held or sloped by tag").nullable(),
                      field("min", &B::min, "of the signal").nullable(),
                      field("max", &B::max, "of the signal").nullable(),
                      field("goodShare", &B::good_share, "share of the time with a good value")};
  }
};

struct AggregateResponse {
  std::string tag, unit;
  bool stepped = false;
  std::vector<BucketRow> items;
  static constexpr auto fields() {
    using A = AggregateResponse;
    return FieldList{field("tag", &A::tag, "short name"), field("unit", &A::unit, "unit"),
                      field("stepped", &A::stepped, "held between samples, else sloped"),
                      field("items", &A::items, "buckets")};
  }
};

struct ImportsRequest {
  std::optional<std::string> line;
  std::int64_t limit = 20;
  static constexpr auto fields() {
    using I = ImportsRequest;
    return FieldList{field("line", &I::line, "only of this line"),
                      field("limit", &I::limit, "the newest so many").range(1, 1000)};
  }
};

}  // namespace flyball::app
