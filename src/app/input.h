#pragma once
// What an operation reads: a file, standard input, or what came with the request.
#include <optional>

#include "app/operations.h"
#include "store/files.h"

namespace flyball::app {

class Input {
 public:
  explicit Input(store::MappedFile file) : file_(std::move(file)) {}
  /// `content` outlives the object.
  explicit Input(const Content& content) : bytes_(content.bytes) {}
  [[nodiscard]] std::string_view text() const { return file_ ? file_->text() : bytes_; }

 private:
  std::optional<store::MappedFile> file_;
  std::string_view bytes_;
};

/// What came with the call, else the file, or for "-" standard input, which is copied to a nameless
/// file in `<data>/runtime` and refused as soon as it cannot be a table (IMPORT_LINE_TOO_LONG).
/// Throws FIELD_LOCAL for a remote call that names a file.
Input open_input(const std::string& file, const std::filesystem::path& data_folder,
                 const Call& call);

}  // namespace flyball::app
