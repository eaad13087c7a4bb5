#define _GNU_SOURCE
#include "helper_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <unistd.h>

enum { HELPER_CHANNEL = 3, ABOVE_STANDARD = 10 };

static int add_descriptors(posix_spawn_file_actions_t *actions, int channel) {
  int error = posix_spawn_file_actions_adddup2(actions, channel, HELPER_CHANNEL);
  for (int i = 0; i < 3 && error == 0; i++) {
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

static int spawn(int binary, int channel, const char *const *envp, pid_t *child) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", binary);
  char *arguments[] = {"app-gates-auth", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = add_descriptors(&actions, channel);
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
  pid_t child = -1;
  *error_out = spawn(binary, channel_fd, envp, &child);
  close(binary);
  return *error_out == 0 ? child : -1;
}
