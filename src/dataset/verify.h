#pragma once
// Verifying a dataset folder of any form: ours, or of the reference system.
#include <optional>
#include <string>

#include "core/record.h"
#include "store/files.h"

namespace flyball::dataset {

/// What a folder holds.
enum class Form { series, windows, v1, v2 };  ///< v1 and v2: of the reference system
constexpr auto enum_names(Form) {
  return std::array<std::string_view, 4>{"series", "windows", "v1", "v2"};
}

struct Verified {
  Form form = Form::series;
  bool legacy = false;  ///< never fit for optimisation
  std::string sha256;
  bool compared = true;  ///< false: a folder of the reference without a sha256 to compare with
  std::int64_t windows = 0, files = 0, bytes = 0;  ///< of the files that were hashed
  static constexpr auto fields() {
    using V = Verified;
    return FieldList{
        field("form", &V::form, "series, windows, or v1 and v2 of the reference system"),
        field("legacy", &V::legacy, "by the rules of the reference: never fit for optimisation"),
        field("sha256", &V::sha256, "of the dataset"),
        field("compared", &V::compared, "there was a sha256 to compare with"),
        field("windows", &V::windows, "overlapping windows"),
        field("files", &V::files, "files that were hashed"),
        field("bytes", &V::bytes, "their size").unit("bytes")};
  }
};

/// Every file against the hash in the folder's name, and against `expected_sha256` unless empty.
/// The hash of a reference dataset is taken over its row's specJson: `spec_json`, else spec.json as
/// it stands; over manifest.json, x, u, y, and for version 2 the further artifacts; the sizes of
/// the arrays must fit the manifest's shapes. Throws FILE_NOT_FOUND, DATASET_CORRUPT naming the
/// file.
Verified verify(const store::fs::path& folder, const std::string& expected_sha256 = {},
                const std::optional<std::string>& spec_json = {});

}  // namespace flyball::dataset
