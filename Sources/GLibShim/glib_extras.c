#define G_LOG_DOMAIN "app-gates"
#include "glib_extras.h"

#include <malloc.h>
#include <time.h>

int64_t gs_boot_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t gs_wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec;
}

void gs_log_warning(const char *message) { g_log_structured(G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "MESSAGE", "%s", message); }

void gs_log_message(const char *message) { g_log_structured(G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, "MESSAGE", "%s", message); }

void gs_print_error(const char *line) { g_printerr("%s\n", line); }

void gs_set_boolean(gpointer object, const char *property, int value) { g_object_set(object, property, value != 0, NULL); }

void gs_set_string(gpointer object, const char *property, const char *value) { g_object_set(object, property, value, NULL); }

void gs_set_int(gpointer object, const char *property, int value) { g_object_set(object, property, value, NULL); }

int gs_get_boolean(gpointer object, const char *property) {
  gboolean value = FALSE;
  g_object_get(object, property, &value, NULL);
  return value;
}

int gs_is_a(gpointer object, const char *type_name) {
  GType type = g_type_from_name(type_name);
  return type != 0 && g_type_is_a(G_OBJECT_TYPE(object), type);
}

void gs_trim_memory(void) { malloc_trim(0); }
