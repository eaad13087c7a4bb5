#pragma once

#include <stdbool.h>

/// Whether a query holds `state` once, and with this value once it is decoded. However much of the value is right, the
/// answer takes as long.
bool query_has_state(const char *query, const char *state);

/// Whether a query holds a parameter of this name.
bool query_has(const char *query, const char *name);
