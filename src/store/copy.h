#pragma once
// Many files copied one after another, made durable together.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "store/files.h"

namespace flyball::store {

struct FileDigest {
  std::int64_t bytes = 0;
  std::string sha256;
};

/// Copies the bytes to a new file, whose folder is made when it is missing; the digest is of what
/// was read. Durable after sync_disk() only. Throws FILE_NOT_FOUND, FILE_UNREADABLE, what the
/// writers of store/files.h throw, CANCELLED.
FileDigest copy_file(const fs::path& from, const fs::path& to, const std::stop_token& stop = {});

/// Throws FILE_NOT_FOUND, FILE_UNREADABLE, CANCELLED.
FileDigest digest_file(const fs::path& file, const std::stop_token& stop = {});

/// All that was written to the disk of this folder is durable when it returns.
void sync_disk(const fs::path& folder);

/// Regular files under a folder, relative and sorted, without what is half made (`*.tmp`,
/// `*.staging-*`). Links are not followed. A missing folder has none.
std::vector<fs::path> files_under(const fs::path& folder);

/// Bytes that may still be written to the disk of this folder, and its size.
struct DiskSpace {
  std::int64_t free = 0, size = 0;
};
/// Throws FILE_NOT_FOUND, FILE_UNREADABLE.
DiskSpace disk_space(const fs::path& folder);

}  // namespace flyball::store
