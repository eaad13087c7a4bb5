/* turns NAME PATH …
 *
 * Asks programs on the session bus a question that their main loop has to answer (org.gtk.Actions.List), each program
 * each millisecond, and prints one line for each when its input ends: how many answers, the usual time in ms
 * (median), and the longest. What is beyond the usual is a turn of the main loop, or the machine: a program that has
 * nothing to do is asked at the same time, for comparison.
 */
#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>

enum { EVERY_MS = 1, MOST_IN_FLIGHT = 64 };

struct asked {
  const char *name, *path;
  GArray *times;
  int in_flight;
};

struct question {
  struct asked *asked;
  gint64 at;
};

static GDBusConnection *bus;
static struct asked *all;
static int count;

static void answered(GObject *source, GAsyncResult *result, gpointer data) {
  struct question *question = data;
  GVariant *answer = g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, NULL);
  double ms = (double)(g_get_monotonic_time() - question->at) / 1e3;
  question->asked->in_flight--;
  if (answer != NULL) {
    g_array_append_val(question->asked->times, ms);
    g_variant_unref(answer);
  }
  g_free(question);
}

static gboolean ask(gpointer data) {
  (void)data;
  for (int i = 0; i < count; i++) {
    /* A loop that stands still answers all of them late: no need to pile up more. */
    if (all[i].in_flight >= MOST_IN_FLIGHT) continue;
    struct question *question = g_new(struct question, 1);
    *question = (struct question){&all[i], g_get_monotonic_time()};
    all[i].in_flight++;
    g_dbus_connection_call(bus, all[i].name, all[i].path, "org.gtk.Actions", "List", NULL, G_VARIANT_TYPE("(as)"),
                           G_DBUS_CALL_FLAGS_NONE, -1, NULL, answered, question);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean input_ended(GIOChannel *channel, GIOCondition condition, gpointer loop) {
  (void)channel;
  (void)condition;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static int by_size(gconstpointer a, gconstpointer b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

int main(int arguments, char **words) {
  count = (arguments - 1) / 2;
  bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
  if (count < 1 || bus == NULL) return 2;
  all = g_new0(struct asked, (gsize)count);
  for (int i = 0; i < count; i++)
    all[i] = (struct asked){words[1 + 2 * i], words[2 + 2 * i], g_array_new(FALSE, FALSE, sizeof(double)), 0};
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, input_ended, loop);
  g_timeout_add(EVERY_MS, ask, NULL);
  puts("ready");
  fflush(stdout);
  g_main_loop_run(loop);
  for (int i = 0; i < count; i++) {
    GArray *times = all[i].times;
    if (times->len == 0) return 1;
    g_array_sort(times, by_size);
    printf("%u %.3f %.3f\n", times->len, g_array_index(times, double, times->len / 2),
           g_array_index(times, double, times->len - 1));
  }
  return 0;
}
