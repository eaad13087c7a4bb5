#pragma once
#include <dlfcn.h>
#include <gtk/gtk.h>

/* How the desktop's keyboard layouts are called. GDK tells a layout's number only; the names lie with X11 and with
 * libxkbcommon. Both are in the process already where GDK speaks to them, and are looked up there: a GTK that was
 * built without one of them is no fault, and the program needs neither library by itself.
 */

static inline void *gk_loaded(const char *symbol) { return dlsym(NULL /* RTLD_DEFAULT */, symbol); }

static inline int gk_is_of_type(void *object, const char *name) {
  GType type = g_type_from_name(name);
  return type != 0 && G_TYPE_CHECK_INSTANCE_TYPE(object, type);
}

/* The layouts as X11 was set up with them, such as "us,de(neo)"; NULL where there are none. To be freed with g_free.
 * _XKB_RULES_NAMES holds five strings: rules, model, layouts, variants, options (XKBlib, XkbRF_GetNamesProp). */
static inline char *gk_x11_layouts(GdkDisplay *display) {
  if (!gk_is_of_type(display, "GdkX11Display")) return NULL;
  void *(*xdisplay_of)(GdkDisplay *) = (void *(*)(GdkDisplay *))gk_loaded("gdk_x11_display_get_xdisplay");
  unsigned long (*root_of)(void *) = (unsigned long (*)(void *))gk_loaded("XDefaultRootWindow");
  unsigned long (*intern)(void *, const char *, int) =
      (unsigned long (*)(void *, const char *, int))gk_loaded("XInternAtom");
  int (*get)(void *, unsigned long, unsigned long, long, long, int, unsigned long, unsigned long *, int *,
             unsigned long *, unsigned long *, unsigned char **) =
      (int (*)(void *, unsigned long, unsigned long, long, long, int, unsigned long, unsigned long *, int *,
               unsigned long *, unsigned long *, unsigned char **))gk_loaded("XGetWindowProperty");
  int (*release)(void *) = (int (*)(void *))gk_loaded("XFree");
  if (!xdisplay_of || !root_of || !intern || !get || !release) return NULL;

  const unsigned long any_type = 0;
  void *xdisplay = xdisplay_of(display);
  unsigned long property = intern(xdisplay, "_XKB_RULES_NAMES", 1), type = 0, count = 0, left = 0;
  unsigned char *text = NULL;
  int format = 0;
  if (property == 0) return NULL;
  if (get(xdisplay, root_of(xdisplay), property, 0, 1024, 0, any_type, &type, &format, &count, &left, &text) != 0)
    return NULL;
  char *layouts = NULL;
  unsigned long at = 0;
  /* Xlib closes what it hands out by a zero byte of its own, behind the last. */
  for (int place = 0; text != NULL && format == 8 && at < count; place++) {
    const char *word = (const char *)text + at;
    if (place == 2) {
      layouts = g_strdup(word);
      break;
    }
    at += strlen(word) + 1;
  }
  if (text != NULL) release(text);
  return layouts;
}

/* The keymap that a Wayland compositor has sent; NULL where there is none. Borrowed. */
static inline void *gk_wayland_keymap(GdkDevice *device) {
  if (!gk_is_of_type(device, "GdkWaylandDevice")) return NULL;
  void *(*keymap_of)(GdkDevice *) = (void *(*)(GdkDevice *))gk_loaded("gdk_wayland_device_get_xkb_keymap");
  return keymap_of ? keymap_of(device) : NULL;
}

/* How many layouts a Wayland compositor's keymap has; 0 where there is none. */
static inline unsigned gk_wayland_layout_count(GdkDevice *device) {
  unsigned (*count_of)(void *) = (unsigned (*)(void *))gk_loaded("xkb_keymap_num_layouts");
  void *keymap = gk_wayland_keymap(device);
  return keymap && count_of ? count_of(keymap) : 0;
}

/* The name of one of them; NULL where it has none. Borrowed. */
static inline const char *gk_wayland_layout_name(GdkDevice *device, unsigned layout) {
  const char *(*name_of)(void *, unsigned) = (const char *(*)(void *, unsigned))gk_loaded("xkb_keymap_layout_get_name");
  void *keymap = gk_wayland_keymap(device);
  return keymap && name_of ? name_of(keymap, layout) : NULL;
}
