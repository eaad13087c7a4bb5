#include "run_marker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The slots lie at the marker's beginning and never change their size: to write them anew takes no room on the disk.
#define END_AT 4
#define GATE_AT (END_AT + CR_END_ROOM + 1 + 5)
#define REST_AT (GATE_AT + CR_GATE_ROOM + 1)

static _Atomic int marker = -1;
static char marker_path[PATH_MAX];

// Two names in turn: a handler that interrupts the change still finds a whole one.
static char gates[2][CR_GATE_ROOM + 1];
static atomic_int gate_now;

/// Fills a slot with a word and spaces. Safe in signal handlers.
static void fill(char *slot, size_t room, const char *word) {
  size_t at = 0;
  for (; at < room && word[at] > ' ' && word[at] <= '~'; at++) slot[at] = word[at];
  for (; at < room; at++) slot[at] = ' ';
}

static void write_slot(const char *slot, size_t room, off_t at) {
  int file = atomic_load(&marker);
  if (file < 0) return;
  int saved = errno;
  if (pwrite(file, slot, room, at) < 0) {
    // A marker that cannot be written says less; there is nobody to tell.
  }
  errno = saved;
}

void cr_note_end(const char *word) {
  char slot[CR_END_ROOM];
  fill(slot, sizeof slot, word);
  write_slot(slot, sizeof slot, END_AT);
}

void cr_note_gate(const char *name) {
  int next = 1 - atomic_load(&gate_now);
  strncpy(gates[next], name, CR_GATE_ROOM);
  atomic_store(&gate_now, next);
  char slot[CR_GATE_ROOM];
  fill(slot, sizeof slot, name);
  write_slot(slot, sizeof slot, GATE_AT);
}

const char *cr_gate(void) { return gates[atomic_load(&gate_now)]; }

static void at_exit(void) { cr_note_end("exit"); }

static int write_whole(int file, const char *text, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = write(file, text + done, length - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    done += (size_t)count;
  }
  return 0;
}

int cr_begin_run(const char *path, const char *text, size_t length) {
  if (strlen(path) >= sizeof marker_path) return errno = ENAMETOOLONG, -1;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  char slots[REST_AT];
  memcpy(slots, "end=", END_AT);
  fill(slots + END_AT, CR_END_ROOM, "running");
  memcpy(slots + END_AT + CR_END_ROOM, "\ngate=", 6);
  fill(slots + GATE_AT, CR_GATE_ROOM, cr_gate());
  slots[REST_AT - 1] = '\n';
  if (write_whole(file, slots, sizeof slots) < 0 || write_whole(file, text, length) < 0) {
    int saved = errno;
    unlink(path);
    close(file);
    return errno = saved, -1;
  }
  static int is_watching;
  if (!is_watching) is_watching = atexit(at_exit) == 0;
  strcpy(marker_path, path);
  atomic_store(&marker, file);
  return 0;
}

void cr_end_run(void) {
  int file = atomic_exchange(&marker, -1);
  if (file < 0) return;
  unlink(marker_path);
  close(file);
}

void cr_leave_run(const char *word) {
  cr_note_end(word);
  int file = atomic_exchange(&marker, -1);
  if (file >= 0) close(file);
}
