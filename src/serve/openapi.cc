#include "serve/openapi.h"

#include <nlohmann/json.hpp>

#include "core/version.h"

namespace flyball::serve {
namespace {

Json ref(const std::string& name) {
  return {{"$ref", "#/components/" + name}};
}

Json answers(const Json& schema) {
  return {
      {"200", {{"description", "done"}, {"content", {{"application/json", {{"schema", schema}}}}}}},
      {"default", ref("responses/Problem")}};
}

bool in_path(const app::Operation& o, const std::string& name) {
  return o.path.find("{" + name + "}") != std::string_view::npos;
}

/// A field as a parameter: its place, and its schema without what the parameter says itself.
Json parameter(const app::Operation& o, const std::string& name, Json schema, bool required) {
  const bool path = in_path(o, name);
  Json out = {{"name", name},
              {"in", path ? "path" : "query"},
              {"description", schema.value("description", "")}};
  schema.erase("description");
  out["schema"] = schema;
  if (path || required) out["required"] = true;
  return out;
}

bool takes_upload(const std::vector<app::Flag>& flags) {
  for (const app::Flag& f : flags) {
    if (f.local == app::Local::input) return true;
  }
  return false;
}

app::Local local_of(const std::vector<app::Flag>& flags, const std::string& name) {
  for (const app::Flag& f : flags) {
    if (f.name == name) return f.local;
  }
  return app::Local::no;
}

/// The request as parameters and body. Files of the machine are not part of it: an input is
/// content.
void describe_request(const app::Operation& o, Json& out) {
  const std::vector<app::Flag> flags = o.flags();
  const Json schema = o.request_schema();
  const bool has_body = o.method != "GET" && o.method != "DELETE";
  Json body = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const auto& [name, field] : schema["properties"].items()) {
    const app::Local local = local_of(flags, name);
    if (local == app::Local::output) continue;
    bool is_required = false;
    for (const Json& r : schema.value("required", Json::array())) is_required |= r == name;
    if (in_path(o, name) || !has_body) {
      out["parameters"].push_back(parameter(o, name, field, is_required));
      continue;
    }
    Json property = field;
    if (local == app::Local::input) {
      property = {{"description", "its content: " + field.value("description", "")}};
    } else if (is_required) {
      required.push_back(name);
    }
    body["properties"][name] = property;
  }
  if (!has_body) return;
  if (!required.empty()) body["required"] = required;
  Json content = {{"application/json", {{"schema", body}}}};
  if (takes_upload(flags)) {
    for (const char* type : {"text/csv", "application/octet-stream"})
      content[type] = {{"schema", {{"type", "string"}, {"format", "binary"}}}};
  }
  out["requestBody"] = {{"content", content}};
  if (o.method == "POST" && o.writes) out["parameters"].push_back(ref("parameters/IdempotencyKey"));
}

}  // namespace

Json openapi(std::span<const app::Operation> operations) {
  Json paths = Json::object();
  for (const app::Operation& o : operations) {
    Json row = {{"operationId", o.name},
                {"summary", o.summary},
                {"x-right", app::scope_name(o.scope)},
                {"x-writes", o.writes},
                {"responses", answers(o.response_schema())}};
    describe_request(o, row);
    if (o.method == "PATCH" || o.method == "DELETE")
      row["parameters"].push_back(ref("parameters/IfMatch"));
    std::string method(o.method);
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    paths["/api/v1" + std::string(o.path)][method] = row;
  }
  const Json text = {{"type", "string"}};
  const Json problem = {
      {"type", "object"},
      {"properties",
       {{"type", text},
        {"title", text},
        {"status", {{"type", "integer"}}},
        {"detail", text},
        {"code", {{"type", "string"}, {"description", "stable; docs/reference/messages.md"}}},
        {"params", {{"type", "object"}}},
        {"errors",
         {{"type", "array"},
          {"items",
           {{"type", "object"},
            {"properties", {{"pointer", text}, {"code", text}, {"detail", text}}}}}}},
        {"retryable", {{"type", "boolean"}}}}}};
  return {
      {"openapi", "3.1.0"},
      {"info", {{"title", "flyball"}, {"version", flyball::version()}}},
      {"paths", paths},
      {"security", {{{"token", Json::array()}}, {{"session", Json::array()}}}},
      {"components",
       {{"schemas", {{"Problem", problem}}},
        {"responses",
         {{"Problem",
           {{"description", "it could not be done (RFC 9457)"},
            {"content", {{"application/problem+json", {{"schema", ref("schemas/Problem")}}}}}}}}},
        {"parameters",
         {{"IdempotencyKey",
           {{"name", "Idempotency-Key"},
            {"in", "header"},
            {"description", "the same key within 24 h gives the stored answer and does nothing"},
            {"schema", {{"type", "string"}, {"maxLength", 128}}}}},
          {"IfMatch",
           {{"name", "If-Match"},
            {"in", "header"},
            {"description", "ETag of the GET of the same path, where there is one: 412, 428"},
            {"schema", text}}}}},
        {"securitySchemes",
         {{"token", {{"type", "http"}, {"scheme", "bearer"}}},
          {"session", {{"type", "apiKey"}, {"in", "cookie"}, {"name", "flyball"}}}}}}}};
}

}  // namespace flyball::serve
