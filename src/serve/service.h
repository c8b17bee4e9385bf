#pragma once
// All that the service answers, behind plain structs: who may, where it goes, what it says.
#include <functional>
#include <mutex>
#include <optional>

#include "serve/events.h"
#include "serve/idempotency.h"
#include "serve/listener.h"
#include "serve/metrics.h"
#include "serve/pool.h"
#include "serve/router.h"
#include "serve/safety.h"

namespace flyball::serve {

struct ServiceOptions {
  std::vector<std::string> hosts;           ///< see Safety
  std::uint64_t body_limit = 16 << 20;      ///< bytes of a JSON body
  std::uint64_t upload_limit = 2ull << 30;  ///< bytes of an upload
  bool behind_proxy = false;                ///< X-Forwarded-For and -Proto are believed
  std::function<void(const std::string&)> log = [](const std::string&) {};  ///< one JSON line
};

class Service {
 public:
  /// `data` exists and is complete. Throws ROUTE_WITHOUT_POLICY.
  Service(ServiceOptions options, const app::DataFolder& data, const Clock& clock, Pool& pool,
          Hub& hub);

  /// For the listener; they refer to this object.
  Handlers handlers();

  /// What still runs is to end soon: its operation is asked to stop.
  void interrupt() { stop_.request_stop(); }
  /// More for /metrics: a name, which may have labels, and its value.
  void gauge(const std::string& name, std::function<double()> value);

  /// `done` is called once, from any thread.
  void handle(std::shared_ptr<Request> request, Done done);

 private:
  using Work = std::function<Response(Worker&)>;
  BodyRule body_rule(const Request& request) const;
  void admit(std::shared_ptr<Request> request, Done done);
  void dispatch(const std::shared_ptr<Request>& request, const Done& done);
  void mcp(const std::shared_ptr<Request>& request, const Done& done);
  void api(const std::shared_ptr<Request>& request, const Done& done);
  /// Work in a lane; its answer, or the problem it threw.
  void post(Lane lane, Work work, const Done& done);
  Response failed(const std::exception& error) const;
  [[nodiscard]] std::string operation_name(const Request& request) const;

  Response session(Worker& worker, const Request& request);
  Response setup(Worker& worker, const Request& request);
  Response ready(Worker& worker) const;
  Response metrics_page() const;
  Response events(Worker& worker, const Request& request);
  /// What the sender of the request may read now, from any thread; nullopt: he may no longer.
  std::optional<bool> may_read_now(const Request& request, const std::string& line);

  ServiceOptions options_;
  app::DataFolder data_;
  const Clock& clock_;
  Pool& pool_;
  Router router_;
  Safety safety_;
  std::stop_source stop_;
  Hub& hub_;
  Metrics metrics_;
  Idempotency answers_;
  std::mutex watch_guard_;
  std::optional<Gate> watch_;  ///< of the event streams
  std::string openapi_;
  std::map<std::string, std::function<double()>> gauges_;
};

}  // namespace flyball::serve
