#include "serve/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "app/job_service.h"
#include "app/notice_requests.h"
#include "serve/service.h"

namespace flyball::serve {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::size_t kQueueLimit = 256;

void log_line(const std::string& line) {
  fmt::print(stderr, "{}\n", line);
}

ListenOptions listen_options(const ServeRequest& r, const Address& address,
                             const std::filesystem::path& data) {
  const bool tls = r.tls_cert && r.tls_key;
  if (r.tls_cert.has_value() != r.tls_key.has_value())
    throw Error("TLS_FILES", {{"file", r.tls_cert ? *r.tls_cert : *r.tls_key},
                              {"reason", "certificate and key come together"}});
  if (!address.is_loopback() && !tls && !r.behind_proxy)
    throw Error("LISTEN_UNSAFE", {{"address", r.listen}});
  ListenOptions out;
  out.address = address.host;
  out.port = address.port;
  out.tls_cert = r.tls_cert.value_or("");
  out.tls_key = r.tls_key.value_or("");
  out.spool_folder = data / "runtime";
  return out;
}

std::vector<std::string> hosts(const ServeRequest& r, std::uint16_t port) {
  std::vector<std::string> out = local_hosts(port);
  for (std::string host : r.allow_host) {
    for (char& c : host) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    out.push_back(std::move(host));
  }
  return out;
}

}  // namespace

bool Address::is_loopback() const {
  return host == "::1" || host.starts_with("127.");
}

Address parse_address(const std::string& text) {
  const auto refuse = [&]() -> Error { return Error("LISTEN_INVALID", {{"address", text}}); };
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) throw refuse();
  Address out;
  out.host = text.substr(0, colon);
  if (out.host.starts_with('[') && out.host.ends_with(']'))
    out.host = out.host.substr(1, out.host.size() - 2);
  if (out.host == "localhost") out.host = "127.0.0.1";
  const char* const last = text.data() + text.size();
  const auto [end, ec] = std::from_chars(text.data() + colon + 1, last, out.port);
  if (ec != std::errc{} || end != last || out.host.empty()) throw refuse();
  return out;
}

struct Server::Impl {
  Impl(const ServeRequest& request, const app::DataFolder& data, const Clock& clock)
      : address(parse_address(request.listen)),
        options(listen_options(request, address, data.path)),
        lock(data.path, "serve"),
        created(data, clock),
        jobs(
            data, clock, app::own_program(), [this](const jobs::Job& job) { announce(job); },
            [](const std::string& what) {
              log_line(canonical({{"event", "jobs.trouble"}, {"what", what}}));
            }),
        pool(data, clock, jobs, static_cast<int>(request.workers), kQueueLimit),
        gate(data.path, clock) {
    auto listening = std::make_shared<std::optional<Handlers>>();
    listener = std::make_unique<Listener>(
        options,
        Handlers{[listening](const Request& r) { return (*listening)->body_rule(r); },
                 [listening](auto r, auto d) { (*listening)->admit(std::move(r), std::move(d)); },
                 [listening](auto r, auto d) { (*listening)->handle(std::move(r), std::move(d)); },
                 [listening](Response& r) { (*listening)->finish(r); }});
    ServiceOptions o;
    o.hosts = hosts(request, listener->port());
    o.body_limit = static_cast<std::uint64_t>(request.body_limit) * kMegabyte;
    o.upload_limit = static_cast<std::uint64_t>(request.upload_limit) * kMegabyte;
    o.behind_proxy = request.behind_proxy;
    o.log = log_line;
    service = std::make_unique<Service>(o, data, clock, pool, hub);
    service->gauge("flyball_open_connections",
                   [this] { return static_cast<double>(listener->open_connections()); });
    for (const std::string_view state : enum_names(jobs::State{})) {
      service->gauge("flyball_jobs{state=\"" + std::string(state) + "\"}",
                     [this, state] { return jobs_in(state); });
    }
    *listening = service->handlers();
    jobs.start();
    jobs.keep_house();
  }

  /// Databases of their newest form before anybody else opens them.
  struct Created {
    Created(const app::DataFolder& data, const Clock& clock) { app::App(data, clock).create(); }
  };

  void announce(const jobs::Job& job) {
    const std::string state(enum_name(job.attempt.state));
    hub.publish({"job", job.asked.line_id,
                 canonical({{"id", job.id}, {"state", state}, {"line", job.asked.line_id}})});
    const auto& outcome = job.attempt.outcome;
    if (jobs::terminal(job.attempt.state))
      hub.publish({"notice", job.asked.line_id, canonical(to_json_value(app::notice_of(job))),
                   job.asked.submitted_by});
    if (outcome && outcome->model_id)
      hub.publish({"model", job.asked.line_id, canonical({{"id", *outcome->model_id}})});
    if (outcome && outcome->succeeded && outcome->dataset_id &&
        job.asked.kind == jobs::Kind::dataset_build)
      hub.publish({"dataset.built", job.asked.line_id, canonical({{"id", *outcome->dataset_id}})});
  }

  double jobs_in(std::string_view state) {
    const auto names = enum_names(jobs::State{});
    const auto counts = jobs.queue().count();
    const auto at = static_cast<std::size_t>(std::ranges::find(names, state) - names.begin());
    return at < counts.size() ? static_cast<double>(counts[at]) : 0;
  }

  Address address;
  ListenOptions options;
  store::DataLock lock;
  Created created;
  Hub hub;
  app::JobService jobs;
  Pool pool;
  Gate gate;
  std::unique_ptr<Service> service;
  std::unique_ptr<Listener> listener;
};

Server::Server(const ServeRequest& request, const app::DataFolder& data, const Clock& clock)
    : impl_(std::make_unique<Impl>(request, data, clock)) {}

Server::~Server() {
  impl_->service->interrupt();
  impl_->pool.finish();
}

std::uint16_t Server::port() const {
  return impl_->listener->port();
}

std::string Server::link() {
  const bool v6 = impl_->address.host.find(':') != std::string::npos;
  const std::string host = v6 ? "[" + impl_->address.host + "]" : impl_->address.host;
  const std::string scheme = impl_->options.tls_cert.empty() ? "http" : "https";
  std::string out = fmt::format("{}://{}:{}/", scheme, host, port());
  // Behind the hash: it stands in no log and is sent to no server.
  if (const auto token = impl_->gate.issue_setup()) out += "#setup=" + *token;
  return out;
}

void Server::run() {
  impl_->listener->run();
  impl_->service->interrupt();
}

void Server::stop() {
  impl_->hub.close();
  impl_->listener->stop();
}

}  // namespace flyball::serve
