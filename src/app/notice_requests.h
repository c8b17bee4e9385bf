#pragma once
// Requests and answers of the operations on notices.
#include "app/train_requests.h"

namespace flyball::app {

struct NoticeListRequest {
  bool unread = false;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using N = NoticeListRequest;
    return FieldList{field("unread", &N::unread, "only those that were not read"),
                     field("limit", &N::limit, "items a page").range(1, 1000),
                     field("cursor", &N::cursor, "nextCursor of the page before")};
  }
};

struct NoticesReadRequest {
  std::vector<std::string> job;
  static constexpr auto fields() {
    return FieldList{
        field("job", &NoticesReadRequest::job, "job-...; repeat for more; default: all")
            .max_length(1000)};
  }
};

/// How a job ended that the caller asked for.
struct NoticeView {
  std::string job_id;
  std::int64_t attempt = 1;
  jobs::Kind kind = jobs::Kind::training;
  std::string line_id, title;
  bool ok = false;
  jobs::State state = jobs::State::done;
  TimeUs at = 0;
  bool read = false;
  std::optional<std::string> dataset_id, experiment_id, model_id;
  std::optional<double> one_step, rollout, better;
  std::vector<std::string> failed_gates;
  std::string code, reason;
  static constexpr auto fields() {
    using N = NoticeView;
    return FieldList{
        field("jobId", &N::job_id, "job-..."),
        field("attempt", &N::attempt, "attempt that ended"),
        field("kind", &N::kind, "what was done"),
        field("lineId", &N::line_id, "line"),
        field("title", &N::title, "in a few words"),
        field("ok", &N::ok, "it gave what was asked for"),
        field("state", &N::state, "how it ended"),
        field("at", &N::at, "when").unit("us"),
        field("read", &N::read, "the caller has seen it"),
        field("datasetId", &N::dataset_id, "dataset it built or used"),
        field("experimentId", &N::experiment_id, "experiment it wrote"),
        field("modelId", &N::model_id, "model it registered"),
        field("oneStep", &N::one_step, "of a training: error of one step on test"),
        field("rollout", &N::rollout, "of a training: error over the horizon on test"),
        field("better", &N::better,
              "of a training: share by which it is better than holding the last value"),
        field("failedGates", &N::failed_gates, "gates that refused"),
        field("code", &N::code, "why it did not succeed"),
        field("reason", &N::reason, "in words; empty after success")};
  }
};

struct NoticesResponse {
  std::int64_t unread = 0;
  std::vector<NoticeView> items;
  std::optional<std::string> next_cursor;
  static constexpr auto fields() {
    using N = NoticesResponse;
    return FieldList{field("unread", &N::unread, "how many were not read"),
                     field("items", &N::items, "newest first"),
                     field("nextCursor", &N::next_cursor, "absent on the last page")};
  }
};

/// Of a job that has ended.
NoticeView notice_of(const jobs::Job& job);

}  // namespace flyball::app
