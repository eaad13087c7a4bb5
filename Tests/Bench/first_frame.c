/* first_frame SETTLE_MS PROGRAM [ARGUMENT …]
 *
 * Starts a program and prints, as one line, the milliseconds from its start to the first painted frame of its window,
 * and its share of memory (PSS, KiB) SETTLE_MS later; then ends it by its process id.
 *
 * A frame counts as painted once the X server reports damage and the middle of the window has neither the root's
 * colour nor black, which is what a mapped window without content shows. The root gets a colour that no theme has.
 */
#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOT_COLOUR = 0x7f00ff, DEADLINE_MS = 20000 };

extern char **environ;

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* A window may go between two questions; that is no reason to end. */
static int ignore_error(Display *display, XErrorEvent *error) {
  (void)display;
  (void)error;
  return 0;
}

/* Whether a mapped window of some size has something painted in its middle. */
static bool is_painted(Display *display, Window root) {
  Window ignored, *windows = NULL;
  unsigned count = 0;
  bool painted = false;
  if (!XQueryTree(display, root, &ignored, &ignored, &windows, &count)) return false;
  for (unsigned i = 0; i < count && !painted; i++) {
    XWindowAttributes window;
    if (!XGetWindowAttributes(display, windows[i], &window)) continue;
    if (window.map_state != IsViewable || window.class != InputOutput) continue;
    if (window.width < 100 || window.height < 100) continue;
    /* Through the root: what is on the screen there, whichever of the nested windows it belongs to. */
    XImage *image = XGetImage(display, root, window.x + window.width / 2, window.y + window.height / 2, 1, 1,
                              AllPlanes, ZPixmap);
    if (image == NULL) continue;
    unsigned long colour = XGetPixel(image, 0, 0) & 0xffffff;
    painted = colour != ROOT_COLOUR && colour != 0;
    XDestroyImage(image);
  }
  if (windows != NULL) XFree(windows);
  return painted;
}

/* Waits for damage after damage until a frame is there; the time, or a negative number where none came. */
static double first_frame(Display *display, Window root, double began) {
  for (;;) {
    while (XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
    }
    double seen = now_ms();
    if (is_painted(display, root)) return seen - began;
    /* Replies above may have brought events into the queue, where poll would not see them. */
    if (XEventsQueued(display, QueuedAlready) > 0) continue;
    int left = DEADLINE_MS - (int)(now_ms() - began);
    struct pollfd connection = {.fd = ConnectionNumber(display), .events = POLLIN};
    if (left <= 0 || poll(&connection, 1, left) == 0) return -1;
  }
}

static long pss_kib(pid_t pid) {
  char path[64], line[256];
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) return -1;
  while (kib < 0 && fgets(line, sizeof line, file) != NULL) sscanf(line, "Pss: %ld", &kib);
  fclose(file);
  return kib;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: first_frame SETTLE_MS PROGRAM [ARGUMENT …]\n");
    return 2;
  }
  Display *display = XOpenDisplay(NULL);
  int event_base, error_base;
  if (display == NULL || !XDamageQueryExtension(display, &event_base, &error_base)) {
    fprintf(stderr, "first_frame needs an X display with the DAMAGE extension\n");
    return 2;
  }
  XSetErrorHandler(ignore_error);
  Window root = DefaultRootWindow(display);
  XSetWindowBackground(display, root, ROOT_COLOUR);
  XClearWindow(display, root);
  XSync(display, False);
  XDamageCreate(display, root, XDamageReportRawRectangles);
  XSync(display, True);

  pid_t pid;
  double began = now_ms();
  int failed = posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ);
  if (failed != 0) {
    fprintf(stderr, "%s does not start: %s\n", argv[2], strerror(failed));
    return 1;
  }
  double frame = first_frame(display, root, began);
  struct timespec settle = {.tv_sec = atol(argv[1]) / 1000, .tv_nsec = atol(argv[1]) % 1000 * 1000000};
  nanosleep(&settle, NULL);
  long pss = pss_kib(pid);
  kill(pid, SIGTERM);
  waitpid(pid, NULL, 0);
  XCloseDisplay(display);
  if (frame < 0 || pss < 0) {
    fprintf(stderr, "%s showed no window within %d s\n", argv[2], DEADLINE_MS / 1000);
    return 1;
  }
  printf("%.2f %ld\n", frame, pss);
  return 0;
}
