#pragma once

#include <glib-object.h>
#include <stdint.h>

/// Milliseconds since boot, time asleep included (CLOCK_BOOTTIME). Any thread.
int64_t gs_boot_milliseconds(void);
/// Seconds since 1970, as the desktop's clock has it. Any thread.
int64_t gs_wall_seconds(void);
/// Writes one line of structured log: a warning of domain "app-gates". Any thread.
void gs_log_warning(const char *message);
/// Writes a line on standard error, as it stands. Any thread.
void gs_print_error(const char *line);
/// The same as a warning, as a plain message.
void gs_log_message(const char *message);
/// Sets a property of type boolean, string, int or object; the variadic g_object_set is out of Swift's reach.
void gs_set_boolean(gpointer object, const char *property, int value);
/// Sets a string property.
void gs_set_string(gpointer object, const char *property, const char *value);
/// Sets an integer property, or an enumeration by its number.
void gs_set_int(gpointer object, const char *property, int value);
/// Reads a boolean property.
int gs_get_boolean(gpointer object, const char *property);
/// Whether the object is of the named type or a descendant of it; false for a type that was never registered.
int gs_is_a(gpointer object, const char *type_name);
/// Hands memory that was freed back to the system; a few milliseconds. Any thread.
void gs_trim_memory(void);
