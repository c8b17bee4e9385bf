#include "app/input.h"

#include <unistd.h>

#include "historian/stream_guard.h"

namespace flyball::app {

store::MappedFile open_input(const std::string& file, const std::filesystem::path& data_folder,
                             const Call& call) {
  if (file != "-") return store::MappedFile(file);
  historian::StreamGuard guard;
  return store::MappedFile::spool(
      STDIN_FILENO, data_folder / "runtime", [&](std::string_view block) { guard.look(block); },
      call.stop);
}

}  // namespace flyball::app
