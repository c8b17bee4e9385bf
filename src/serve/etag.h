#pragma once
// Strong ETags: two answers with one tag are the same bytes.
#include <string>

#include "serve/router.h"

namespace flyball::serve {

std::string etag(std::string_view body);

/// Whether a list as in If-Match and If-None-Match holds the tag; "*" holds every one.
bool holds(std::string_view list, std::string_view tag);

/// A GET that the client has already: 304 without body. Adds the ETag.
void answer_condition(const Request& request, Response& response);

/// A change of what a GET of the same path shows wants If-Match with its ETag: throws Refused 428
/// PRECONDITION_MISSING, 412 PRECONDITION_FAILED. What does not exist yet needs none.
void check_condition(const Router& router, const Route& route, const Request& request,
                     const Json& json, const app::Call& call, app::App& app);

}  // namespace flyball::serve
