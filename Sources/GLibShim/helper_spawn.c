#define _GNU_SOURCE
#include "helper_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HELPER_CHANNEL = 3, ABOVE_STANDARD = 10 };

/// Gives the child its descriptors from 0 on; /dev/null where there is -1.
static int add_descriptors(posix_spawn_file_actions_t *actions, const int *given, int count) {
  int error = 0;
  // Those that are given come first: /dev/null may take the place of one.
  for (int i = 0; i < count && error == 0; i++) {
    if (given[i] >= 0) error = posix_spawn_file_actions_adddup2(actions, given[i], i);
  }
  for (int i = 0; i < count && error == 0; i++) {
    if (given[i] >= 0) continue;
    error = posix_spawn_file_actions_addopen(actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  return error;
}

static int add_signals(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  return error;
}

static int spawn(int binary, char *name, const int *given, int count, const char *const *envp, pid_t *child) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", binary);
  char *arguments[] = {name, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = add_descriptors(&actions, given, count);
    if (error == 0) error = add_signals(&attributes);
    // posix_spawn does not write to the environment; its type is older than const.
    if (error == 0) error = posix_spawn(child, path, &actions, &attributes, arguments, (char *const *)envp);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

pid_t gs_spawn_helper(int exec_fd, int channel_fd, const char *const *envp, int *error_out) {
  // A copy above the descriptors that the child replaces: the caller's may be one of them.
  int binary = fcntl(exec_fd, F_DUPFD_CLOEXEC, ABOVE_STANDARD);
  if (binary < 0) {
    *error_out = errno;
    return -1;
  }
  int given[HELPER_CHANNEL + 1] = {-1, -1, -1, channel_fd};
  pid_t child = -1;
  *error_out = spawn(binary, "app-gates-auth", given, HELPER_CHANNEL + 1, envp, &child);
  close(binary);
  return *error_out == 0 ? child : -1;
}

/// A file without a name, with the request in it: to write it never blocks, as a pipe might.
static int request_file(const void *request, size_t count) {
  int file = memfd_create("request", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (size_t done = 0; done < count;) {
    // At a place, so that the child, which shares ours, begins to read at 0.
    ssize_t written = pwrite(file, (const char *)request + done, count - done, (off_t)done);
    if (written <= 0) {
      close(file);
      return -1;
    }
    done += (size_t)written;
  }
  return file;
}

/// The same above the descriptors that the child replaces; the one given is closed.
static int above_standard(int descriptor) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, ABOVE_STANDARD);
  close(descriptor);
  return copy;
}

pid_t gs_spawn_web(int exec_fd, const void *request, size_t count, const char *const *envp, int *channel_out) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
  int binary = fcntl(exec_fd, F_DUPFD_CLOEXEC, ABOVE_STANDARD);
  int given[3] = {above_standard(request_file(request, count)), above_standard(pair[1]), -1};
  pid_t child = -1;
  bool is_ready = binary >= 0 && given[0] >= 0 && given[1] >= 0;
  if (!is_ready || spawn(binary, "app-gates-web", given, 3, envp, &child) != 0) child = -1;
  close(binary);
  close(given[0]);
  close(given[1]);
  if (child < 0) close(pair[0]);
  *channel_out = child < 0 ? -1 : pair[0];
  return child;
}
