#include "app/input.h"

#include <unistd.h>

#include "core/error.h"
#include "historian/stream_guard.h"

namespace flyball::app {

Input open_input(const std::string& file, const std::filesystem::path& data_folder,
                 const Call& call) {
  if (call.content) return Input(*call.content);
  if (call.remote) throw Error("FIELD_LOCAL", {{"field", file}});
  if (file != "-") return Input(store::MappedFile(file));
  historian::StreamGuard guard;
  return Input(store::MappedFile::spool(
      STDIN_FILENO, data_folder / "runtime", [&](std::string_view block) { guard.look(block); },
      call.stop));
}

}  // namespace flyball::app
