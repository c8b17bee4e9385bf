#pragma once
// What must not stand on a command line, where other users of the machine see it and the shell
// keeps it.
#include <string>

namespace flyball::cli {

/// One line: asked for without echo when standard input is a terminal, else its next line. Throws
/// SECRET_MISSING when there is none, or none may be asked for; CANCELLED after Ctrl-C.
std::string read_secret(const std::string& name, bool no_input);

}  // namespace flyball::cli
