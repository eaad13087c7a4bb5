#pragma once

#include <glib-object.h>

/// Called for each emission: the box, where a result goes (NULL for none), the arguments with the instance first.
typedef void (*gs_signal_call)(void *box, GValue *result, guint count, const GValue *arguments);

/// Connects a box to a signal through a closure of its own, whatever the shape of the signal.
///
/// `release` is called once with the box when the closure goes: after a disconnect or with the instance, and never
/// while the closure runs. Returns the handler's id.
gulong gs_signal_connect(gpointer instance, const char *signal, void *box, gs_signal_call call, GDestroyNotify release);
