#pragma once
// What a command reads: a file, or standard input.
#include "app/operations.h"
#include "store/files.h"

namespace flyball::app {

/// The file, or for "-" standard input, which is copied to a nameless file in `<data>/runtime` and
/// refused as soon as it cannot be a table (IMPORT_LINE_TOO_LONG).
store::MappedFile open_input(const std::string& file, const std::filesystem::path& data_folder,
                             const Call& call);

}  // namespace flyball::app
