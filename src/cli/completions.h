#pragma once
// Completion scripts and reference pages, generated from the operations table.
#include <map>
#include <string>
#include <string_view>

namespace flyball::cli {

/// For bash, zsh or fish; throws SHELL_UNKNOWN.
std::string completions(std::string_view shell);

/// Page name → text: commands.md, settings.md, errors.md, records.md.
std::map<std::string, std::string> reference_pages();

}  // namespace flyball::cli
