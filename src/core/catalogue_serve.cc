// What the service answers.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // the request as bytes
    {"HTTP_MALFORMED", E::invalid_argument, "the request is not HTTP/1.1 as this server reads it: {detail}"},
    {"HTTP_VERSION", E::invalid_argument, "this server speaks HTTP/1.1 only"},
    {"HTTP_HEADER_TOO_LARGE", E::invalid_argument, "the head of a request may have {limit} bytes and {fields} fields"},
    {"HTTP_BODY_TOO_LARGE", E::invalid_argument, "the body of this request may have {limit} bytes"},
    {"HTTP_EXPECTATION", E::invalid_argument, "Expect may only be 100-continue"},
    // where it goes
    {"ROUTE_MISSING", E::not_found, "there is nothing at {path}; GET /api/v1/openapi.json lists what there is"},
    {"METHOD_NOT_ALLOWED", E::invalid_argument, "{method} is not possible at {path}: {allowed}"},
    {"ROUTE_WITHOUT_POLICY", E::internal, "{route} has no right that a caller needs: the service does not start"},
    {"HOST_REFUSED", E::permission_denied, "this server is not called \"{host}\"; name it with --allow-host if it is"},
    {"ORIGIN_REFUSED", E::permission_denied, "a page of {origin} may not call this server"},
    {"CSRF_REFUSED", E::permission_denied, "a change by a signed-in browser needs the header X-CSRF-Token with the token of its session"},
    {"MCP_RESULT_LARGE", E::invalid_argument, "the result has {bytes}, more than the {limit} of a tool's result; ask for less (limit, cursor), or read it at {path}"},
    {"TOO_MANY_REQUESTS", E::resource_exhausted, "more than {limit} requests wait for an answer; try again in a second"},
    {"SERVICE_FAILED", E::internal, "the service failed at this request; its log has the reason under {id}"},
    // what it says
    {"HTTP_TYPE", E::invalid_argument, "the body is {type}; this route takes {expected}"},
    {"HTTP_ACCEPT", E::invalid_argument, "this route answers {type}, which Accept leaves out"},
    {"BODY_UNEXPECTED", E::invalid_argument, "{method} takes no body"},
    {"QUERY_VALUE", E::invalid_argument, "\"{value}\" is not {type}"},
    {"FIELD_TWICE", E::invalid_argument, "\"{field}\" is given more than once"},
    {"FIELD_LOCAL", E::permission_denied, "\"{field}\" names a file of the server's machine, which no request may; over HTTP give its content"},
    {"PRECONDITION_MISSING", E::invalid_argument, "a change of what exists needs If-Match with the ETag that GET {path} gave"},
    {"PRECONDITION_FAILED", E::failed_precondition, "{path} has changed since you read it: read it again and repeat the change"},
    {"IDEMPOTENCY_KEY_INVALID", E::invalid_argument, "Idempotency-Key is 1 to 128 visible characters"},
    {"IDEMPOTENCY_KEY_REUSED", E::invalid_argument, "this Idempotency-Key came with another request within {hours}: take a new one"},
    {"ANSWER_HELD_A_SECRET", E::failed_precondition, "this request was done, and its answer held a secret, which is shown once and not kept: when it was lost, revoke the token made then and create another under a new Idempotency-Key"},
    {"IDEMPOTENCY_UNKNOWN", E::failed_precondition, "the service ended while it worked at this request: look whether it was done, then repeat it under a new Idempotency-Key"},
    // how it is started
    {"LISTEN_INVALID", E::invalid_argument, "\"{address}\" is not an address and port such as 127.0.0.1:8080 or [::1]:8080"},
    {"LISTEN_UNSAFE", E::failed_precondition, "{address} can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy when a proxy in front does TLS"},
    {"LISTEN_FAILED", E::unavailable, "cannot listen at {address}: {reason}"},
    {"TLS_FILES", E::invalid_argument, "{file} cannot be used for TLS: {reason}"},
    {"SELF_TEST_FAILED", E::internal, "{count} checks failed: {names}"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_serve() {
  return kEntries;
}

}  // namespace flyball
