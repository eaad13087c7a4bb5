/* frames_wayland X Y WIDTH HEIGHT
 *
 * The same as frames_x11 for a wlroots compositor such as sway, by its own screencopy protocol: it hands out the
 * picture that it has just put together, at the next change of the output. There is no word of who has the keyboard.
 *
 * The protocol's description comes in no package of Debian's, so its tables are written out here, as wayland-scanner
 * would make them from wlr-screencopy-unstable-v1.xml, version 2, as far as they are used.
 */
#define _GNU_SOURCE
#include "content.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

extern const struct wl_interface frame_interface;
static const struct wl_interface *none[] = {NULL, NULL, NULL, NULL};
static const struct wl_interface *copy_types[] = {&wl_buffer_interface};
static const struct wl_interface *capture_types[] = {&frame_interface, NULL, &wl_output_interface};
static const struct wl_message manager_requests[] = {{"capture_output", "nio", capture_types}};
static const struct wl_interface manager_interface = {"zwlr_screencopy_manager_v1", 2, 1, manager_requests, 0, NULL};
static const struct wl_message frame_requests[] = {
    {"copy", "o", copy_types}, {"destroy", "", none}, {"copy_with_damage", "2o", copy_types}};
static const struct wl_message frame_events[] = {
    {"buffer", "uuuu", none}, {"flags", "u", none}, {"ready", "uuu", none}, {"failed", "", none},
    {"damage", "2uuuu", none}};
const struct wl_interface frame_interface = {"zwlr_screencopy_frame_v1", 2, 3, frame_requests, 5, frame_events};
enum { CAPTURE_OUTPUT = 0, COPY = 0, DESTROY = 1, COPY_WITH_DAMAGE = 2 };

static struct wl_display *display;
static struct wl_shm *shm;
static struct wl_output *output;
static struct wl_proxy *manager, *frame;
static struct wl_buffer *buffer;
static uint8_t *memory;
static uint32_t stride, picture_height;
static bool is_upside_down, is_first = true, is_here;
static int left, top;
static struct content was;
static uint32_t *pixels;

static void ask_for_next(void);

static void make_buffer(uint32_t format, uint32_t width, uint32_t height) {
  size_t size = (size_t)stride * height;
  int file = memfd_create("frame", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)size) != 0) exit(1);
  memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) exit(1);
  struct wl_shm_pool *pool = wl_shm_create_pool(shm, file, (int32_t)size);
  buffer = wl_shm_pool_create_buffer(pool, 0, (int32_t)width, (int32_t)height, (int32_t)stride, format);
  wl_shm_pool_destroy(pool);
  close(file);
}

static void on_buffer(void *data, struct wl_proxy *self, uint32_t format, uint32_t width, uint32_t height,
                      uint32_t bytes) {
  (void)data;
  stride = bytes;
  picture_height = height;
  if (buffer == NULL) make_buffer(format, width, height);
  wl_proxy_marshal_flags(self, is_first ? COPY : COPY_WITH_DAMAGE, NULL, wl_proxy_get_version(self), 0, buffer);
}

static void on_flags(void *data, struct wl_proxy *self, uint32_t flags) {
  (void)data;
  (void)self;
  is_upside_down = (flags & 1) != 0;
}

static void on_damage(void *data, struct wl_proxy *self, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  (void)data;
  (void)self;
  is_here = is_here || ((int)x < left + was.width && (int)(x + width) > left && (int)y < top + was.height &&
                        (int)(y + height) > top);
}

static void on_ready(void *data, struct wl_proxy *self, uint32_t high, uint32_t low, uint32_t nanoseconds) {
  (void)data;
  double drawn = ((double)high * 4294967296.0 + (double)low) * 1e3 + (double)nanoseconds / 1e6;
  for (int y = 0; y < was.height; y++) {
    int row = is_upside_down ? (int)picture_height - 1 - (top + y) : top + y;
    const uint32_t *line = (const uint32_t *)(const void *)(memory + (size_t)row * stride);
    for (int x = 0; x < was.width; x++) pixels[y * was.width + x] = line[left + x] & 0xffffff;
  }
  if (is_first) {
    keep_content(&was, pixels);
    puts("ready");
    fflush(stdout);
  } else if (is_here) {
    report_frame(&was, pixels, drawn);
  }
  is_first = is_here = false;
  wl_proxy_marshal_flags(self, DESTROY, NULL, wl_proxy_get_version(self), WL_MARSHAL_FLAG_DESTROY);
  ask_for_next();
}

static void on_failed(void *data, struct wl_proxy *self) {
  (void)data;
  (void)self;
  fputs("the compositor gave no picture\n", stderr);
  exit(1);
}

static const struct {
  void (*buffer)(void *, struct wl_proxy *, uint32_t, uint32_t, uint32_t, uint32_t);
  void (*flags)(void *, struct wl_proxy *, uint32_t);
  void (*ready)(void *, struct wl_proxy *, uint32_t, uint32_t, uint32_t);
  void (*failed)(void *, struct wl_proxy *);
  void (*damage)(void *, struct wl_proxy *, uint32_t, uint32_t, uint32_t, uint32_t);
} listener = {on_buffer, on_flags, on_ready, on_failed, on_damage};

static void ask_for_next(void) {
  frame = wl_proxy_marshal_flags(manager, CAPTURE_OUTPUT, &frame_interface, wl_proxy_get_version(manager), 0, NULL, 0,
                                 output);
  wl_proxy_add_listener(frame, (void (**)(void))(uintptr_t)&listener, NULL);
}

static void on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                      uint32_t version) {
  (void)data;
  if (strcmp(interface, wl_shm_interface.name) == 0)
    shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
  else if (strcmp(interface, wl_output_interface.name) == 0 && output == NULL)
    output = wl_registry_bind(registry, name, &wl_output_interface, 1);
  else if (strcmp(interface, manager_interface.name) == 0 && version >= 2)
    manager = wl_registry_bind(registry, name, &manager_interface, 2);
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name) {
  (void)data;
  (void)registry;
  (void)name;
}

int main(int count, char **arguments) {
  static const struct wl_registry_listener globals = {on_global, on_global_remove};
  display = wl_display_connect(NULL);
  if (count != 5 || display == NULL) return 2;
  left = atoi(arguments[1]);
  top = atoi(arguments[2]);
  was.width = atoi(arguments[3]);
  was.height = atoi(arguments[4]);
  pixels = calloc((size_t)was.width * (size_t)was.height, sizeof *pixels);
  if (pixels == NULL) return 1;
  wl_registry_add_listener(wl_display_get_registry(display), &globals, NULL);
  wl_display_roundtrip(display);
  if (shm == NULL || output == NULL || manager == NULL) return 2;
  ask_for_next();
  for (;;) {
    while (wl_display_prepare_read(display) != 0) wl_display_dispatch_pending(display);
    wl_display_flush(display);
    struct pollfd sources[2] = {{.fd = wl_display_get_fd(display), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    poll(sources, 2, -1);
    if (sources[1].revents != 0) return 0;
    if (wl_display_read_events(display) < 0) return 1;
    wl_display_dispatch_pending(display);
  }
}
