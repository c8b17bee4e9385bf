#include "cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>

#include "app/operations.h"
#include "cli/command_line.h"
#include "cli/service_commands.h"
#include "core/error.h"

namespace flyball::cli {
namespace {

/// What may follow each prefix of a command: "" → study, models...; "models" → list, show...
std::map<std::string, std::set<std::string>> followers() {
  std::map<std::string, std::set<std::string>> out;
  for (const app::Operation* row : all_commands()) {
    const app::Operation& o = *row;
    std::istringstream words{std::string(o.verb)};
    std::string prefix;
    for (std::string word; words >> word;) {
      out[prefix].insert(word);
      prefix += (prefix.empty() ? "" : " ") + word;
    }
    for (const app::Flag& f : o.flags()) {
      if (!f.positional) out[prefix].insert("--" + f.flag);
    }
  }
  for (const OwnCommand& own : own_commands()) out[""].insert(std::string(own.name));
  out["completions"] = {"bash", "zsh", "fish"};
  for (auto& [prefix, words] : out) {
    for (const OwnCommand& g : global_flags()) words.insert("--" + std::string(g.name));
  }
  return out;
}

std::string bash() {
  std::string cases;
  for (const auto& [prefix, words] : followers()) {
    cases += fmt::format("    \"{}\") echo \"{}\" ;;\n", prefix, fmt::join(words, " "));
  }
  return "_flyball_words() {\n  case \"$1\" in\n" + cases +
         "  esac\n"
         "}\n"
         "_flyball() {\n"
         "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n"
         "  ((COMP_CWORD > 2)) && words=\"$(_flyball_words \"${COMP_WORDS[1]} "
         "${COMP_WORDS[2]}\")\"\n"
         "  [ -z \"$words\" ] && ((COMP_CWORD > 1)) && words=\"$(_flyball_words "
         "\"${COMP_WORDS[1]}\")\"\n"
         "  [ -z \"$words\" ] && words=\"$(_flyball_words \"\")\"\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "  [[ ${#COMPREPLY[@]} -eq 0 && $cur != -* ]] && COMPREPLY=($(compgen -f -- \"$cur\"))\n"
         "}\n"
         "complete -F _flyball flyball\n";
}

std::string zsh() {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash();
}

std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish() {
  std::string out = "complete -c flyball -f\n";
  std::set<std::string> groups;
  for (const app::Operation* row : all_commands()) {
    const app::Operation& o = *row;
    const std::string verb(o.verb);
    const auto space = verb.find(' ');
    const std::string first = verb.substr(0, space);
    std::string condition = "__fish_seen_subcommand_from " + first;
    if (space == std::string::npos) {
      out += fmt::format("complete -c flyball -n __fish_use_subcommand -a {} -d {}\n", first,
                         fish_text(o.summary));
    } else {
      if (groups.insert(first).second)
        out += fmt::format("complete -c flyball -n __fish_use_subcommand -a {}\n", first);
      const std::string second = verb.substr(space + 1);
      out += fmt::format("complete -c flyball -n '{}' -a {} -d {}\n", condition, second,
                         fish_text(o.summary));
      condition += "; and __fish_seen_subcommand_from " + second;
    }
    for (const app::Flag& f : o.flags()) {
      if (f.positional) {
        if (f.name == "file") out += fmt::format("complete -c flyball -n '{}' -F\n", condition);
        continue;
      }
      out += fmt::format("complete -c flyball -n '{}' -l {}{} -d {}\n", condition, f.flag,
                         f.type == "boolean" || f.secret ? "" : " -r", fish_text(f.doc));
    }
  }
  for (const OwnCommand& own : own_commands()) {
    out += fmt::format("complete -c flyball -n __fish_use_subcommand -a {} -d {}\n", own.name,
                       fish_text(own.summary));
  }
  for (const OwnCommand& g : global_flags()) {
    out += fmt::format("complete -c flyball -l {}{} -d {}\n", g.name,
                       g.arguments.empty() ? "" : " -r", fish_text(g.summary));
  }
  return out;
}

}  // namespace

std::string completions(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  throw Error("SHELL_UNKNOWN", {{"shell", shell}});
}

}  // namespace flyball::cli
