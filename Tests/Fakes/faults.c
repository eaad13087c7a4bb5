// A preload with the faults of a library that is loaded beside the app: on SIGUSR2 the process does what $FAULT says.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The end that no stack is large enough for keeps the compiler from taking it for endless.
__attribute__((noinline)) static int deeper(int depth) {
  volatile char room[4096];
  room[depth % 4096] = (char)depth;
  if (depth == 1 << 30) return 0;
  return deeper(depth + 1) + room[0];
}

static void *in_a_thread(void *nothing) {
  *(volatile int *)16 = 1;
  return nothing;
}

static void run(int number) {
  (void)number;
  const char *fault = getenv("FAULT");
  if (!strcmp(fault, "overflow")) deeper(0);
  if (!strcmp(fault, "exit")) exit(3);
  if (!strcmp(fault, "abort")) abort();
  if (!strcmp(fault, "trap")) __builtin_trap();
  if (!strcmp(fault, "null")) *(volatile int *)16 = 1;
  if (!strcmp(fault, "heap")) {
    // What glibc finds at a double free is an abort of its own, with a message.
    char *volatile block = malloc(2000);
    free(block);
    free(block);
  }
  if (!strcmp(fault, "descriptors")) {
    while (dup(0) >= 0) continue;
    abort();
  }
  if (!strcmp(fault, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_a_thread, NULL);
    pthread_join(thread, NULL);
  }
}

__attribute__((constructor)) static void wait_for_the_signal(void) {
  if (getenv("FAULT")) signal(SIGUSR2, run);
}
