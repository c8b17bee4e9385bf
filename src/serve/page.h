#pragma once
// The page in the program: the files of ui/dist, or a plain page that says why there is none.
#include "serve/http.h"

namespace flyball::serve {

/// One file as it was built in; its bytes are gzipped.
struct PageFile {
  std::string_view path;  ///< "/assets/index-3f2a.js"
  std::string_view type;
  std::string_view gzip;
  std::string_view plain;
};

/// The file at the request's path; for a path without a dot the page itself, which reads the rest
/// of its address. Throws Refused 404, 405.
Response page(const Request& request);

}  // namespace flyball::serve
