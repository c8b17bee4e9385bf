#pragma once
// How an answer is written.
#include <string>

#include "serve/http.h"

namespace flyball::serve {

/// Status line and fields with the empty line; the length of the body, or chunks for a feed.
std::string response_head(const Response& response);

/// One chunk of a body of unknown length.
std::string chunk(std::string_view text);

/// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::int64_t seconds_since_epoch);

}  // namespace flyball::serve
