// Use cases on notices: what came of the jobs that the caller asked for.
#include "jobs/notices.h"

#include "app/app.h"
#include "app/caller.h"
#include "app/notice_requests.h"
#include "app/records.h"

namespace flyball::app {
namespace {

std::optional<double> figure(const Json& metrics, const char* name) {
  const auto it = metrics.is_object() ? metrics.find(name) : metrics.end();
  return it != metrics.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

/// The figures that a leaderboard shows.
void add_metrics(registry::Registry& registry, NoticeView& notice) {
  try {
    const Json metrics = registry.experiment(*notice.experiment_id).metrics;
    if (metrics.is_object() && metrics.contains("oneStepTest"))
      notice.one_step = figure(metrics["oneStepTest"], "nrmse");
    notice.rollout = figure(metrics, "rolloutNrmse");
    notice.better = figure(metrics, "rolloutImprovement");
  } catch (const Error& e) {
    if (e.code() != "EXPERIMENT_MISSING") throw;  // it was forgotten: the outcome still holds
  }
}

}  // namespace

NoticeView notice_of(const jobs::Job& job) {
  const JobView view = view_of(job);
  NoticeView out;
  out.job_id = view.id;
  out.attempt = view.attempt;
  out.kind = view.kind;
  out.line_id = view.line_id;
  out.title = view.title;
  out.ok = job.attempt.outcome && job.attempt.outcome->succeeded;
  out.state = view.state;
  out.at = view.ended_at.value_or(0);
  out.dataset_id = view.dataset_id;
  out.experiment_id = view.experiment_id;
  out.model_id = view.model_id;
  out.failed_gates = view.failed_gates;
  out.code = view.code;
  out.reason = view.reason;
  return out;
}

NoticesResponse App::list_notices(const NoticeListRequest& request, const Call& call) {
  Records& r = records();
  jobs::Notices notices(r.db);
  const std::string user = caller(call).id;
  NoticesResponse out;
  out.unread = notices.unread(user);
  jobs::NoticePage page = notices.list(user, request.unread, request.limit, request.cursor);
  for (const jobs::Notice& n : page.notices) {
    NoticeView view = notice_of(n.job);
    view.read = n.read_at.has_value();
    if (view.experiment_id) add_metrics(r.registry, view);
    out.items.push_back(std::move(view));
  }
  out.items = readable(call, std::move(out.items));
  out.next_cursor = page.next_cursor;
  return out;
}

NoticesResponse App::read_notices(const NoticesReadRequest& request, const Call& call) {
  jobs::Notices notices(records(true).db);
  const std::string user = caller(call).id;
  notices.mark_read(user, request.job, clock_.now());
  NoticesResponse out;
  out.unread = notices.unread(user);
  return out;
}

}  // namespace flyball::app
