#include "main_queue.h"

#include <glib-unix.h>
#include <stdint.h>
#include <unistd.h>

extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

static gboolean drain(gint descriptor, GIOCondition condition, gpointer data) {
  (void)condition;
  (void)data;
  // The descriptor is an eventfd: unread, it stays readable and the loop spins.
  uint64_t count;
  if (read(descriptor, &count, sizeof count) < 0) {
    // Nothing to read: another turn took it. The queue is drained all the same.
  }
  _dispatch_main_queue_callback_4CF(NULL);
  return G_SOURCE_CONTINUE;
}

int gs_main_queue_attach(void) {
  int descriptor = _dispatch_get_main_queue_handle_4CF();
  if (descriptor < 0) return -1;
  g_unix_fd_add(descriptor, G_IO_IN, drain, NULL);
  return 0;
}
