#include "cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/service_commands.h"
#include "core/record.h"
#include "core/time.h"

namespace flyball::cli {
namespace {

constexpr std::array kOwn{
    OwnCommand{"completions", "bash|zsh|fish", "a completion script for the shell"},
    OwnCommand{"docs", "FOLDER", "write the reference pages that are generated from the tables"},
    OwnCommand{"schema", "VERB", "JSON Schema (2020-12) of an operation's request and response"},
};

constexpr std::array kGlobal{
    OwnCommand{"data", "FOLDER",
               "data folder; default: $FLYBALL_HOME, ./flyball-data, ~/.local/share/flyball"},
    OwnCommand{"json", "", "print the answer as JSON"},
    OwnCommand{"quiet", "", "no progress on stderr"},
    OwnCommand{"no-input", "", "never ask; fail instead"},
};

/// Times and durations are whole microseconds inside and texts on the command line.
bool is_time(const app::Flag& f) {
  return f.type == "integer" && f.unit == "us";
}

std::string describe(const app::Flag& f) {
  std::string text = f.doc;
  if (!f.unit.empty() && !is_time(f)) text += " [" + f.unit + "]";
  if (!f.choices.empty()) text += fmt::format(" ({})", fmt::join(f.choices, ", "));
  if (!f.required && !f.default_text.empty() && !is_time(f)) text += "; default " + f.default_text;
  return text;
}

const char* type_name(const app::Flag& f) {
  if (is_time(f)) return "TIME";
  return f.type == "text" ? "TEXT" : f.type == "integer" ? "N" : "X";
}

/// One leaf of the command tree: the texts that CLI11 fills in.
struct Leaf {
  const app::Operation* operation = nullptr;
  CLI::App* command = nullptr;
  std::vector<app::Flag> flags;
  std::vector<std::vector<std::string>> values;
  std::unique_ptr<bool[]> switches;
};

std::string singular(const std::string& word) {
  return word.ends_with("ies") ? word.substr(0, word.size() - 3) + "y"
                               : word.substr(0, word.size() - 1);
}

std::string_view first_word(std::string_view verb) {
  return verb.substr(0, verb.find(' '));
}

CLI::App* child(CLI::App* parent, const std::string& word) {
  for (CLI::App* c : parent->get_subcommands([](CLI::App*) { return true; })) {
    if (c->get_name() == word) return c;
  }
  CLI::App* c = parent->add_subcommand(word);
  c->fallthrough();
  if (parent->get_parent() == nullptr && word.ends_with('s')) {
    const std::string one = singular(word);
    const bool taken = std::ranges::any_of(
        app::operations(), [&](const app::Operation& o) { return first_word(o.verb) == one; });
    if (!taken) c->alias(one);
  }
  return c;
}

void add_flags(Leaf& leaf) {
  leaf.flags = leaf.operation->flags();
  leaf.values.resize(leaf.flags.size());
  leaf.switches = std::make_unique<bool[]>(leaf.flags.size());
  for (std::size_t i = 0; i < leaf.flags.size(); ++i) {
    const app::Flag& f = leaf.flags[i];
    const std::string name = f.positional ? f.flag : "--" + f.flag;
    if (f.type == "boolean" || f.secret) {
      leaf.command->add_flag(name, leaf.switches[i],
                             describe(f) + (f.secret ? "; asked for, or read from stdin" : ""));
      continue;
    }
    CLI::Option* option = leaf.command->add_option(name, leaf.values[i], describe(f));
    option->type_name(type_name(f));
    option->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    if (f.required) option->required();
  }
}

Json request_of(const Leaf& leaf) {
  Json request = Json::object();
  for (std::size_t i = 0; i < leaf.flags.size(); ++i) {
    const app::Flag& f = leaf.flags[i];
    const auto& texts = leaf.values[i];
    if (f.secret) continue;
    if (f.type == "boolean") {
      if (leaf.switches[i]) request[f.name] = true;
    } else if (f.repeatable) {
      for (const std::string& text : texts) request[f.name].push_back(flag_value(f, text));
    } else if (texts.size() > 1) {
      throw Error("USAGE", {{"detail", "--" + f.flag + " is given " + std::to_string(texts.size()) +
                                           " times"},
                            {"help", "flyball " + std::string(leaf.operation->verb) + " --help"}});
    } else if (texts.size() == 1) {
      request[f.name] = flag_value(f, texts.front());
    }
  }
  return request;
}

/// Secrets that the request needs, or that a switch asks for.
std::vector<std::string> secrets_of(const Leaf& leaf) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < leaf.flags.size(); ++i) {
    const app::Flag& f = leaf.flags[i];
    if (f.secret && (f.required || leaf.switches[i])) out.push_back(f.name);
  }
  return out;
}

/// The command that the leading words name, and those words.
const CLI::App* named_command(const CLI::App& root, const std::vector<std::string>& args,
                              std::string& path) {
  const CLI::App* at = &root;
  for (const std::string& word : args) {
    const auto children = at->get_subcommands([](const CLI::App*) { return true; });
    const auto found =
        std::ranges::find_if(children, [&](const CLI::App* c) { return c->check_name(word); });
    if (found == children.end()) break;
    at = *found;
    path += " " + word;
  }
  return at;
}

/// CLI11's message with the nearest right word for the first argument that it did not expect.
[[noreturn]] void throw_usage(const CLI::App& root, const CLI::ParseError& e,
                              const std::vector<std::string>& args) {
  std::string path = "flyball";
  const CLI::App* command = named_command(root, args, path);
  std::vector<std::string> names;
  for (const CLI::App* c : command->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(c->get_name());
  for (const CLI::App* a = command; a != nullptr; a = a->get_parent()) {
    for (const CLI::Option* o : a->get_options()) names.push_back(o->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::string detail = e.what();
  const bool asks_for_command =
      !command->get_subcommands([](const CLI::App*) { return true; }).empty();
  for (const std::string& arg : args) {
    const std::string word = arg.substr(0, arg.find('='));
    const bool is_command = (path + " ").find(" " + word + " ") != std::string::npos;
    const bool unexpected =
        (detail + " ").find(" " + word + " ") != std::string::npos || asks_for_command;
    if (is_command || !unexpected || std::ranges::find(names, word) != names.end()) continue;
    const std::string best = nearest(word, known);
    if (!best.empty()) detail += "; did you mean \"" + best + "\"?";
    break;
  }
  throw Error("USAGE", {{"detail", detail}, {"help", path + " --help"}});
}

}  // namespace

std::span<const OwnCommand> own_commands() {
  return kOwn;
}
std::span<const OwnCommand> global_flags() {
  return kGlobal;
}

namespace {

/// A duration, or a time where there is a colon or a T.
std::int64_t time_value(const app::Flag& flag, const std::string& text) {
  try {
    const bool is_date =
        text.find_first_of("T:") != std::string::npos || (text.size() > 4 && text[4] == '-');
    return is_date ? parse_time(text) : parse_duration(text);
  } catch (const Error& e) {
    throw Error("FLAG_TIME", {{"flag", flag.flag}, {"detail", e.what()}});
  }
}

}  // namespace

Json flag_value(const app::Flag& flag, const std::string& text) {
  if (flag.type == "text") return text;
  if (is_time(flag)) return time_value(flag, text);
  const char* const last = text.data() + text.size();
  if (flag.type == "integer") {
    std::int64_t value = 0;
    const auto [end, ec] = std::from_chars(text.data(), last, value);
    if (ec == std::errc{} && end == last) return value;
  } else {
    double value = 0;
    const auto [end, ec] = std::from_chars(text.data(), last, value);
    if (ec == std::errc{} && end == last) return value;
  }
  throw Error("FLAG_VALUE", {{"flag", flag.flag},
                             {"value", text},
                             {"type", flag.type == "integer" ? "a whole number" : "a number"}});
}

Parsed parse_arguments(const std::vector<std::string>& arguments) {
  Parsed out;
  CLI::App root("From plant history to advice you can check", "flyball");
  root.require_subcommand(0, 1);
  root.add_option("--data", out.globals.data, std::string(kGlobal[0].summary))->type_name("FOLDER");
  root.add_flag("--json", out.globals.json, std::string(kGlobal[1].summary));
  root.add_flag("--quiet", out.globals.quiet, std::string(kGlobal[2].summary));
  root.add_flag("--no-input", out.globals.no_input, std::string(kGlobal[3].summary));
  bool version = false;
  root.add_flag("--version", version, "print the version");

  std::vector<Leaf> leaves;
  for (const app::Operation* row : all_commands()) {
    const app::Operation& o = *row;
    CLI::App* command = &root;
    std::istringstream words{std::string(o.verb)};
    for (std::string word; words >> word;) command = child(command, word);
    command->description(std::string(o.summary));
    Leaf& leaf = leaves.emplace_back();
    leaf.operation = &o;
    leaf.command = command;
    add_flags(leaf);
  }
  for (CLI::App* group : root.get_subcommands([](CLI::App*) { return true; })) {
    if (!group->get_subcommands([](CLI::App*) { return true; }).empty()) {
      group->require_subcommand(1);
      group->description("see: flyball " + group->get_name() + " --help");
    }
  }
  for (const OwnCommand& own : kOwn) {
    CLI::App* command = root.add_subcommand(std::string(own.name), std::string(own.summary));
    command->fallthrough();
    command->add_option(std::string(own.arguments), out.own_arguments)->required()->type_name("");
  }

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    root.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    out.help = root.help();
    return out;
  } catch (const CLI::ParseError& e) {
    throw_usage(root, e, arguments);
  }
  if (version) {
    out.operation = app::find_operation("version");
    out.request = Json::object();
    return out;
  }
  for (const Leaf& leaf : leaves) {
    if (leaf.command->parsed() && leaf.command->get_subcommands().empty()) {
      out.operation = leaf.operation;
      out.request = request_of(leaf);
      out.secrets = secrets_of(leaf);
      return out;
    }
  }
  for (const OwnCommand& own : kOwn) {
    if (root.got_subcommand(std::string(own.name))) {
      out.own_command = own.name;
      return out;
    }
  }
  out.help = root.help();
  return out;
}

}  // namespace flyball::cli
