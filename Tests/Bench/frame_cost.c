/* A library to preload into a GTK program: what each of its frames costs.
 *
 * For each frame one line on the file that FRAME_COST_FILE names: when it was done (CLOCK_MONOTONIC, ms), how long the
 * main loop worked for it since the frame before (ms, waiting left out: events, layout and drawing alike), how long it
 * had the processor for that (ms; less where other programs wanted it too), and how many labels the program gave new
 * words since then. Nothing where FRAME_COST_FILE is not set.
 *
 * The main loop waits in poll(), and windows come up by gtk_window_present(): both are taken over here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <gtk/gtk.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double woken, work, woken_cpu, cpu;
static int output = -1, labels;
static gboolean is_drawn;

static double ms_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* The turn ends: what was done in it belongs to the frame that was drawn in it, or to the next. */
static void turn_ended(void) {
  double now = ms_of(CLOCK_MONOTONIC);
  if (woken > 0) {
    work += now - woken;
    cpu += ms_of(CLOCK_THREAD_CPUTIME_ID) - woken_cpu;
  }
  if (!is_drawn) return;
  char line[120];
  int length = snprintf(line, sizeof line, "%.3f %.3f %.3f %d\n", now, work, cpu, labels);
  if (write(output, line, (size_t)length) != length) abort();
  work = cpu = 0;
  labels = 0;
  is_drawn = FALSE;
}

int poll(struct pollfd *fds, nfds_t count, int timeout) {
  static int (*real)(struct pollfd *, nfds_t, int);
  if (real == NULL) real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  gboolean is_main_loop = output >= 0 && gettid() == getpid();
  /* A poll that only looks is made in the midst of work, by the display's library say. */
  if (!is_main_loop || timeout == 0) return real(fds, count, timeout);
  turn_ended();
  int found = real(fds, count, timeout);
  woken = ms_of(CLOCK_MONOTONIC);
  woken_cpu = ms_of(CLOCK_THREAD_CPUTIME_ID);
  return found;
}

static void drawn(GdkFrameClock *clock, gpointer data) {
  (void)clock, (void)data;
  is_drawn = TRUE;
}

void gtk_window_present(GtkWindow *window) {
  static void (*real)(GtkWindow *);
  static gboolean is_watched;
  if (real == NULL) real = (void (*)(GtkWindow *))dlsym(RTLD_NEXT, "gtk_window_present");
  real(window);
  const char *path = getenv("FRAME_COST_FILE");
  if (is_watched || path == NULL) return;
  is_watched = TRUE;
  output = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  g_signal_connect(gtk_widget_get_frame_clock(GTK_WIDGET(window)), "after-paint", G_CALLBACK(drawn), NULL);
}

void gtk_label_set_text(GtkLabel *label, const char *words) {
  static void (*real)(GtkLabel *, const char *);
  if (real == NULL) real = (void (*)(GtkLabel *, const char *))dlsym(RTLD_NEXT, "gtk_label_set_text");
  labels++;
  real(label, words);
}
