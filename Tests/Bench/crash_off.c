// A preload that takes the crash record out of a start, where $CRASH_OFF is set: no handler is put in place, and the
// marker of the run cannot be made. Without the variable everything is passed on, so that both starts carry the preload.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int is_off(void) {
  static int known = -1;
  if (known < 0) known = getenv("CRASH_OFF") != NULL;
  return known;
}

int sigaltstack(const stack_t *new, stack_t *old) {
  static int (*real)(const stack_t *, stack_t *);
  if (real == NULL) real = (int (*)(const stack_t *, stack_t *))dlsym(RTLD_NEXT, "sigaltstack");
  return is_off() ? 0 : real(new, old);
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
  static int (*real)(int, const struct sigaction *, struct sigaction *);
  if (real == NULL)
    real = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(RTLD_NEXT, "sigaction");
  int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGABRT ||
                 number == SIGTRAP || number == SIGSYS;
  return is_off() && is_fault && new != NULL ? 0 : real(number, new, old);
}

static int is_marker(const char *path, int flags) {
  const char *name = strrchr(path, '/');
  return is_off() && (flags & O_EXCL) && name != NULL && strcmp(name, "/run") == 0;
}

int open(const char *path, int flags, ...) {
  static int (*real)(const char *, int, ...);
  if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  va_list more;
  va_start(more, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
  va_end(more);
  if (!is_marker(path, flags)) return real(path, flags, mode);
  errno = EEXIST;  // the one failure that the program takes without a word
  return -1;
}
