/* frames_x11 X Y WIDTH HEIGHT WINDOW …
 *
 * Looks at a part of the screen, in which content of some windows lies now, and prints a line for each frame that they
 * draw there (content.h); "lost T" and "gained T" when one of them loses or gets the keyboard; "ready" once it looks.
 * Ends with its input.
 *
 * What the X server reports as damage within a few milliseconds is one frame: a window draws it in several requests.
 * What a window manager draws around the windows when the focus moves is none of theirs.
 */
#include "content.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>

enum { ONE_FRAME_MS = 3 };

static Display *display;
static Window root;
static int left, top;
static struct content was;
static uint32_t *pixels;

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int ignore_error(Display *ignored, XErrorEvent *error) {
  (void)ignored;
  (void)error;
  return 0;
}

/* Through the root: what is on the screen there, whichever window it belongs to. */
static void grab(void) {
  XImage *image = XGetImage(display, root, left, top, (unsigned)was.width, (unsigned)was.height, AllPlanes, ZPixmap);
  if (image == NULL) exit(1);
  for (int y = 0; y < was.height; y++)
    for (int x = 0; x < was.width; x++)
      pixels[y * was.width + x] = (uint32_t)XGetPixel(image, x, y) & 0xffffff;
  XDestroyImage(image);
}

/* Whether a part of a window, in its own coordinates, lies where we look. */
static bool is_here(Drawable window, const XRectangle *area) {
  int x, y;
  Window ignored;
  if (!XTranslateCoordinates(display, window, root, area->x, area->y, &x, &y, &ignored)) return false;
  return x < left + was.width && x + area->width > left && y < top + was.height && y + area->height > top;
}

/* Takes the events that are there; whether one of them is damage where the content was. */
static bool take_events(int damage_base) {
  bool is_damaged = false;
  while (XPending(display) > 0) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == damage_base + XDamageNotify) {
      const XDamageNotifyEvent *damage = (const XDamageNotifyEvent *)&event;
      is_damaged = is_here(damage->drawable, &damage->area) || is_damaged;
    } else if (event.type == FocusOut || event.type == FocusIn) {
      /* A key that some program has grabbed takes the keyboard for a moment: nobody has left. */
      if (event.xfocus.mode == NotifyGrab || event.xfocus.mode == NotifyUngrab) continue;
      if (event.xfocus.detail == NotifyInferior || event.xfocus.detail == NotifyPointer) continue;
      printf("%s %.3f\n", event.type == FocusOut ? "lost" : "gained", now_ms());
      fflush(stdout);
    }
  }
  return is_damaged;
}

int main(int count, char **arguments) {
  int damage_base, error_base;
  display = XOpenDisplay(NULL);
  if (count < 6 || display == NULL || !XDamageQueryExtension(display, &damage_base, &error_base)) return 2;
  XSetErrorHandler(ignore_error);
  root = DefaultRootWindow(display);
  left = atoi(arguments[1]);
  top = atoi(arguments[2]);
  was.width = atoi(arguments[3]);
  was.height = atoi(arguments[4]);
  pixels = calloc((size_t)was.width * (size_t)was.height, sizeof *pixels);
  if (pixels == NULL) return 1;
  for (int i = 5; i < count; i++) {
    Window window = strtoul(arguments[i], NULL, 0);
    XSelectInput(display, window, FocusChangeMask);
    XDamageCreate(display, window, XDamageReportRawRectangles);
  }
  /* All of a window counts as damaged when the looking begins: that is no frame. */
  XSync(display, False);
  take_events(damage_base);
  grab();
  keep_content(&was, pixels);
  puts("ready");
  fflush(stdout);

  double first = 0;
  for (;;) {
    if (take_events(damage_base) && first == 0) first = now_ms();
    double left_ms = first == 0 ? -1 : first + ONE_FRAME_MS - now_ms();
    if (first != 0 && left_ms <= 0) {
      grab();
      report_frame(&was, pixels, first);
      first = 0;
      continue;
    }
    struct pollfd sources[2] = {{.fd = ConnectionNumber(display), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    poll(sources, 2, first == 0 ? -1 : (int)left_ms + 1);
    if (sources[1].revents != 0) return 0;
  }
}
