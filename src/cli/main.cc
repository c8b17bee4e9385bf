#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/solver_worker.h"
#include "app/train_child.h"
#include "cli/advice_text.h"
#include "cli/command_line.h"
#include "cli/completions.h"
#include "cli/data_text.h"
#include "cli/import_text.h"
#include "cli/interrupt.h"
#include "cli/print.h"
#include "cli/progress_bar.h"
#include "cli/secret.h"
#include "cli/service_commands.h"
#include "cli/study_text.h"
#include "core/words.h"
#include "store/files.h"

namespace flyball::cli {
namespace {

/// Problem in the manner of RFC 9457, as the service will answer it.
Json problem_json(const Error& e) {
  Json errors = Json::array();
  for (const Problem& p : e.problems())
    errors.push_back(
        {{"pointer", p.pointer}, {"code", p.message.code}, {"detail", p.message.text()}});
  Json out = to_json_value(words(e.message()));
  out["errors"] = errors;
  out["retryable"] = info(e.errc()).retryable;
  if (!e.pointer().empty()) out["pointer"] = e.pointer();
  return out;
}

void write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw Error("OUTPUT_FAILED");
}

int run_own(const Parsed& parsed) {
  const std::string& argument = parsed.own_arguments.front();
  if (parsed.own_command == "completions") {
    write(completions(argument));
  } else if (parsed.own_command == "docs") {
    store::make_folder(argument);
    for (const auto& [name, text] : reference_pages())
      store::write_file(std::filesystem::path(argument) / name, text);
  } else {
    std::string verb;
    for (const std::string& word : parsed.own_arguments) verb += (verb.empty() ? "" : " ") + word;
    const app::Operation* operation = app::find_operation(verb);
    if (operation == nullptr)
      throw Error("USAGE",
                  {{"detail", "there is no command \"" + verb + "\""}, {"help", "flyball --help"}});
    write(pretty({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                  {"request", operation->request_schema()},
                  {"response", operation->response_schema()}}));
  }
  return 0;
}

using Printer = std::string (*)(const Json&, const Style&);

/// Answers that have a text of their own; the others print as pairs and tables.
constexpr std::pair<std::string_view, Printer> kPrinters[]{
    {"study.run", print_study},        {"import", print_import},
    {"datasets.build", print_build},   {"datasets.stats", print_stats},
    {"tags.survey", print_tag_survey}, {"models.predict", print_forecast},
    {"jobs.train", print_job},         {"jobs.build", print_job},
    {"jobs.show", print_job},          {"jobs.cancel", print_job},
    {"jobs.retry", print_job},         {"jobs.log", print_log},
    {"bindings.solve", print_card},    {"advice.show", print_card},
};

std::string text_of(std::string_view operation, const Json& body, const Style& style) {
  for (const auto& [name, print] : kPrinters) {
    if (name == operation) return print(body, style);
  }
  return print_answer(body, style, columns_of(operation));
}

int run_operation(const Parsed& parsed) {
  Json request = parsed.request;
  for (const std::string& secret : parsed.secrets)
    request[secret] = read_secret(secret, parsed.globals.no_input);
  const InterruptWatch interrupt;
  const bool no_colour = std::getenv("NO_COLOR") != nullptr;
  ProgressBar bar(isatty(STDERR_FILENO) == 1, parsed.globals.quiet);
  const SystemClock clock;
  app::App application(app::find_data_folder(parsed.globals.data, parsed.operation->writes), clock);
  const app::Reply reply =
      app::run(*parsed.operation, application, request,
               {[&bar](const Progress& p) { bar.show(p); }, interrupt.token()});
  bar.finish();
  const Style style{isatty(STDOUT_FILENO) == 1 && !no_colour};
  write(parsed.globals.json ? pretty(reply.body)
                            : text_of(parsed.operation->name, reply.body, style));
  return reply.exit_code;
}

int run_main(const std::vector<std::string>& arguments) {
  bool json = false;
  for (const std::string& a : arguments) json = json || a == "--json";
  // What a training job runs: not a command for people.
  if (arguments.size() == 2 && arguments[0] == "job-child")
    return app::run_training_child(arguments[1]);
  // What computes advice.
  if (arguments.size() == 1 && arguments[0] == "solver-worker") return app::run_solver_worker();
  try {
    const Parsed parsed = parse_arguments(arguments);
    int code = 0;
    if (!parsed.help.empty()) {
      write(parsed.help);
    } else if (!parsed.own_command.empty()) {
      code = run_own(parsed);
    } else if (parsed.operation->invoke == nullptr) {
      code = run_service_command(parsed);
    } else {
      code = run_operation(parsed);
    }
    if (std::fflush(stdout) != 0) throw Error("OUTPUT_FAILED");
    return code;
  } catch (const Error& e) {
    if (json) {
      fmt::print(stderr, "{}", pretty(problem_json(e)));
    } else {
      fmt::print(stderr, "flyball: {} [{}]\n", e.what(), e.code());
    }
    return info(e.errc()).exit_code;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "flyball: out of memory\n");
  } catch (const std::exception& e) {
    fmt::print(stderr,
               "flyball: internal error: {}; please report it with the command that led here\n",
               e.what());
  }
  return 1;
}

}  // namespace
}  // namespace flyball::cli

int main(int argc, char** argv) {
  return flyball::cli::run_main({argv + 1, argv + argc});
}
