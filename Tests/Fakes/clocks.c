// A preload that sets clocks for one process: the file named by $CLOCKS holds two numbers of 8 bytes, the seconds that
// the wall clock and the boot clock are ahead. The monotonic clock, which stands still in sleep, is left alone.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *ahead(void) {
  static const volatile int64_t *numbers;
  static const int64_t none[2];
  if (numbers != NULL) return numbers;
  const char *path = getenv("CLOCKS");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  return numbers = map == MAP_FAILED ? none : map;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += ahead()[0];
  if (clock == CLOCK_BOOTTIME) now->tv_sec += ahead()[1];
  return result;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}
