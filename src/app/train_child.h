#pragma once
// The child process of a training job: reads order.json in its folder, studies the dataset, writes
// report.html, report.json, the model's files and, last, result.json. Opens no database.
#include <filesystem>

namespace flyball::app {

/// Says how far it is on stdout, one `##AML {json}` line each. 0, or 1 after an error that it said.
int run_training_child(const std::filesystem::path& folder);

}  // namespace flyball::app
