#pragma once
// Datasets and surveys as people read them: facts in short tables, then what to look at.
#include "cli/print.h"

namespace flyball::cli {

/// datasets build: what it is, and its report.
std::string print_build(const Json& response, const Style& style);
/// datasets stats: the report and the survey of the train part.
std::string print_stats(const Json& response, const Style& style);
/// tags survey: a line a tag.
std::string print_tag_survey(const Json& response, const Style& style);
/// A job: how it stands or how it ended, then its attempts.
std::string print_job(const Json& response, const Style& style);
/// jobs log: the lines as they are.
std::string print_log(const Json& response, const Style& style);

}  // namespace flyball::cli
