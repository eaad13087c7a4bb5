#include "display_loss.h"

#include <glib.h>
#include <string.h>

static void (*display_is_lost)(void);

// GDK's words before each of its calls of _exit(), for Wayland and for X11 (gdkdisplay-wayland.c, gdkeventsource.c,
// gdkmain-x11.c of GTK 4). They are not translated.
static const char *const last_words[] = {
  "Lost connection to Wayland compositor", "Error reading events from display", "Error flushing display",
  "dispatching to Wayland display", "Fatal IO error",
};

static int is_from_gdk(const GLogField *fields, gsize count) {
  for (gsize at = 0; at < count; at++)
    if (!strcmp(fields[at].key, "GLIB_DOMAIN")) return fields[at].value && !strcmp(fields[at].value, "Gdk");
  return 0;
}

static int says_farewell(const GLogField *fields, gsize count) {
  for (gsize at = 0; at < count; at++) {
    if (strcmp(fields[at].key, "MESSAGE") != 0 || !fields[at].value) continue;
    for (gsize word = 0; word < G_N_ELEMENTS(last_words); word++)
      if (strstr(fields[at].value, last_words[word])) return 1;
  }
  return 0;
}

static GLogWriterOutput pass_on(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
  if (is_from_gdk(fields, count) && says_farewell(fields, count)) display_is_lost();
  return g_log_writer_default(level, fields, count, data);
}

void gs_watch_display_loss(void (*lost)(void)) {
  display_is_lost = lost;
  g_log_set_writer_func(pass_on, NULL, NULL);
}
