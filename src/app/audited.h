#pragma once
// The one place where operations are authorised and written into the audit trail.
#include "app/operations.h"

namespace flyball::app {

/// Throws what refuses the caller: first whatever the object, then on each line that the request
/// concerns, so that a caller without the right learns nothing of objects.
void authorise(const Operation& operation, App& app, const Json& request, const Call& call);

/// Authorises and invokes; when the operation writes, what was asked for and how it ended is a row
/// of the trail. A refusal or failure is rethrown as it is. An operation that was done and could
/// not be written down throws AUDIT_NOT_WRITTEN. Nothing is written while there is no flyball.db.
Reply run_audited(const Operation& operation, App& app, const Json& request, const Call& call);

/// The request without the values of its secret fields.
Json without_secrets(const Operation& operation, const Json& request);

}  // namespace flyball::app
