#include "cli/service_commands.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/operation_row.h"
#include "cli/interrupt.h"
#include "serve/mcp.h"
#include "serve/self_test.h"
#include "serve/server.h"

namespace flyball::cli {
namespace {

template <class Request>
constexpr app::Operation command(std::string_view verb, std::string_view summary) {
  return {verb,
          verb,
          "",
          "",
          app::Scope::admin,
          true,
          summary,
          &app::row_detail::flags<Request>,
          &schema<Request>,
          &schema<app::Empty>,
          nullptr};
}

constexpr std::array kCommands{
    command<serve::ServeRequest>("serve", "the service: HTTP, events and the page in a browser"),
    command<app::Empty>("mcp", "tools for agents on standard input and output (Model Context Protocol), as the local user"),
    command<serve::SelfTestRequest>("security self-test",
                                    "try to break into a running service, by name of each check"),
};

/// Threads of a service come and go for months: few heaps, and what is freed goes back at once, keep
/// its memory flat.
void keep_memory_flat() {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

int run_serve(const Parsed& parsed) {
  keep_memory_flat();
  umask(0077);  // what the service stores is for who runs it alone
  const InterruptWatch interrupt;
  const SystemClock clock;
  serve::Server server(parse_record<serve::ServeRequest>(parsed.request),
                       app::find_data_folder(parsed.globals.data, true), clock);
  fmt::print("{}\n", server.link());
  std::fflush(stdout);
  const std::stop_callback stop(interrupt.token(), [&server] { server.stop(); });
  server.run();
  return 0;
}

int run_mcp(const Parsed& parsed) {
  const SystemClock clock;
  app::App app(app::find_data_folder(parsed.globals.data, false), clock);
  const serve::McpCaller caller{[&](const app::Operation& o, const Json& request) {
                                  return app::run(o, app, request, {}).body;
                                },
                                [](const app::Operation&) { return true; }};
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty()) continue;
    const auto answer = serve::answer_mcp(line, caller);
    if (!answer) continue;
    fmt::print("{}\n", canonical(*answer));
    std::fflush(stdout);
  }
  return 0;
}

int run_self_test(const Parsed& parsed) {
  const auto results = serve::self_test(parse_record<serve::SelfTestRequest>(parsed.request));
  std::string names;
  std::int64_t failed = 0;
  Json all = Json::array();
  for (const serve::CheckResult& r : results) {
    const char* said = r.skipped ? "skipped" : r.failures.empty() ? "ok" : "FAILED";
    all.push_back({{"name", r.name}, {"what", r.what}, {"result", said}, {"failures", r.failures}});
    if (!parsed.globals.json) fmt::print("{:8} {:24} {}\n", said, r.name, r.what);
    for (const std::string& failure : r.failures) {
      if (!parsed.globals.json) fmt::print("         - {}\n", failure);
    }
    if (r.failures.empty()) continue;
    ++failed;
    names += (names.empty() ? "" : ", ") + r.name;
  }
  if (parsed.globals.json) fmt::print("{}", pretty(all));
  std::fflush(stdout);
  if (failed > 0) throw Error("SELF_TEST_FAILED", {{"count", failed}, {"names", names}});
  return 0;
}

}  // namespace

std::span<const app::Operation> service_commands() {
  return kCommands;
}

std::vector<const app::Operation*> all_commands() {
  std::vector<const app::Operation*> out;
  for (const app::Operation& o : app::operations()) out.push_back(&o);
  for (const app::Operation& o : service_commands()) out.push_back(&o);
  return out;
}

int run_service_command(const Parsed& parsed) {
  if (parsed.operation->verb == "serve") return run_serve(parsed);
  return parsed.operation->verb == "mcp" ? run_mcp(parsed) : run_self_test(parsed);
}

}  // namespace flyball::cli
