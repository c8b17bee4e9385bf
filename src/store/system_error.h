#pragma once
// errno as a named error, in one place.
#include <filesystem>

namespace flyball::store {

/// Throws DISK_FULL, FOLDER_NOT_WRITABLE or FILE_NOT_WRITTEN for a write that failed with `error`.
[[noreturn]] void throw_write_error(int error, const std::filesystem::path& path);

/// Throws FILE_NOT_FOUND or FILE_UNREADABLE for a read that failed with `error`.
[[noreturn]] void throw_read_error(int error, const std::filesystem::path& path);

}  // namespace flyball::store
