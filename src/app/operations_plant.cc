// Operations on the plant: lines, recipes, tags, runs, segments, marks.
#include <array>

#include "app/operation_row.h"
#include "app/operation_tables.h"
#include "app/process_spec_requests.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::list_lines>("lines.list", "lines list", "GET", "/lines", S::view, false, "lines of the plant"),
    operation<&App::add_line>("lines.add", "lines add", "POST", "/lines", S::admin, true, "add a line"),
    operation<&App::delete_line>("lines.delete", "lines delete", "DELETE", "/lines/{id}", S::admin, true, "delete a line that nothing refers to", Special::makes_room),
    operation<&App::list_products>("products.list", "products list", "GET", "/products", S::view, false, "products of a line"),
    operation<&App::add_product>("products.add", "products add", "POST", "/products", S::operate, true, "add a product"),
    operation<&App::delete_product>("products.delete", "products delete", "DELETE", "/products/{id}", S::operate, true, "delete a product that nothing refers to", Special::makes_room),
    operation<&App::list_recipes>("recipes.list", "recipes list", "GET", "/recipes", S::view, false, "recipes of a line, each at its newest version"),
    operation<&App::show_recipe>("recipes.show", "recipes show", "GET", "/recipes/{id}", S::view, false, "one recipe with every version"),
    operation<&App::add_recipe>("recipes.add", "recipes add", "POST", "/recipes", S::operate, true, "add a recipe"),
    operation<&App::set_recipe>("recipes.set", "recipes set", "PATCH", "/recipes/{id}", S::operate, true, "change params of a recipe: a new version"),
    operation<&App::delete_recipe>("recipes.delete", "recipes delete", "DELETE", "/recipes/{id}", S::operate, true, "delete a recipe that nothing refers to", Special::makes_room),
    operation<&App::list_tags>("tags.list", "tags list", "GET", "/tags", S::view, false, "tags of a line"),
    operation<&App::show_tag>("tags.show", "tags show", "GET", "/tags/{name}", S::view, false, "one tag"),
    operation<&App::set_tag>("tags.set", "tags set", "PATCH", "/tags/{name}", S::operate, true, "declare unit, role and limits of a tag; creates it when it is new"),
    operation<&App::list_runs>("runs.list", "runs list", "GET", "/runs", S::view, false, "runs of a line, oldest first"),
    operation<&App::show_run>("runs.show", "runs show", "GET", "/runs/{id}", S::view, false, "one run and its context segments"),
    operation<&App::add_run>("runs.add", "runs add", "POST", "/runs", S::operate, true, "add a run; without an end it is running"),
    operation<&App::delete_run>("runs.delete", "runs delete", "DELETE", "/runs/{id}", S::operate, true, "delete a run with its samples, unless a dataset was built from it", Special::makes_room),
    operation<&App::end_run>("runs.end", "runs end", "POST", "/runs/{id}/end", S::operate, true, "end a running run"),
    operation<&App::list_segments>("segments.list", "segments list", "GET", "/context-segments", S::view, false, "context segments: which recipe version a run was made by, and when"),
    operation<&App::show_segment>("segments.show", "segments show", "GET", "/context-segments/{id}", S::view, false, "one context segment and every decision on it"),
    operation<&App::confirm_segment>("segments.confirm", "segments confirm", "POST", "/context-segments/{id}/confirm", S::approve, true, "a person confirms a context segment"),
    operation<&App::reject_segment>("segments.reject", "segments reject", "POST", "/context-segments/{id}/reject", S::approve, true, "a person rejects a context segment"),
    operation<&App::list_marks>("marks.list", "marks list", "GET", "/marks", S::view, false, "stretches of history that people marked, by line and time"),
    operation<&App::add_mark>("marks.add", "marks add", "POST", "/marks", S::operate, true, "mark a stretch as bad, steady or one batch; datasets built later follow it"),
    operation<&App::delete_mark>("marks.delete", "marks delete", "DELETE", "/marks/{id}", S::operate, true, "take a mark back; datasets that followed it stay as they are"),
    operation<&App::create_process_spec>("process-specs.create", "process-specs create", "POST", "/process-specs", S::train, true, "state once what a line's variables are; a draft, or the next version of what is in force"),
    operation<&App::list_process_specs>("process-specs.list", "process-specs list", "GET", "/process-specs", S::view, false, "process-model specs of a line, each at its newest version"),
    operation<&App::show_process_spec>("process-specs.show", "process-specs show", "GET", "/process-specs/{name}", S::view, false, "one process-model spec with every version"),
    operation<&App::activate_process_spec>("process-specs.activate", "process-specs activate", "POST", "/process-specs/{name}/activate", S::train, true, "put a draft into force: studies and datasets may cite it, and it changes no more"),
    operation<&App::retire_process_spec>("process-specs.retire", "process-specs retire", "POST", "/process-specs/{name}/retire", S::train, true, "end a process-model spec; what cites it stays"),
    operation<&App::apply_plant>("plant.apply", "plant apply", "POST", "/plants", S::operate, true, "create and change what a plant file says of a line"),
    operation<&App::show_plant>("plant.show", "plant show", "GET", "/plants/{line}", S::view, false, "all that is known of a line; with --json a plant file"),
};
// clang-format on

}  // namespace

std::span<const Operation> plant_operations() {
  return kOperations;
}

}  // namespace flyball::app
