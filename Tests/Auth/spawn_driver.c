// Starts the helper through gs_spawn_helper with descriptors in awkward places, and prints what it says, one packet a
// line, in hex; then its exit status. Arguments: helper, where to put its binary, where to put its channel, the first
// packet in hex.
#define _GNU_SOURCE
#include "helper_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int out;

static int move(int from, int to) {
  int moved = dup3(from, to, O_CLOEXEC);
  if (moved >= 0) close(from);
  return moved;
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  // Out of the way of whatever the test wants to have where.
  out = fcntl(1, F_DUPFD_CLOEXEC, 50);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return 3;
  int ours = fcntl(ends[0], F_DUPFD_CLOEXEC, 60), theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 61);
  int binary = fcntl(open(arguments[1], O_RDONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 62);
  closefrom(70);
  for (int i = 0; i < 50; i++) close(i);
  binary = move(binary, atoi(arguments[2]));
  theirs = move(theirs, atoi(arguments[3]));
  int stray = open("/etc/hostname", O_RDONLY);  // not closed on exec, as a library of the app might leave one

  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);

  unsigned char first[256], packet[8192];
  size_t size = strlen(arguments[4]) / 2;
  for (size_t i = 0; i < size; i++) sscanf(arguments[4] + 2 * i, "%2hhx", &first[i]);
  const char *environment[] = {"LANG=C.UTF-8", NULL};
  int error = 0;
  pid_t child = gs_spawn_helper(binary, theirs, environment, &error);
  if (child < 0) {
    dprintf(out, "error %d\n", error);
    return 0;
  }
  if (stray < 0 || fcntl(binary, F_GETFD) != FD_CLOEXEC || fcntl(theirs, F_GETFD) != FD_CLOEXEC) return 4;
  close(theirs);
  if (send(ours, first, size, MSG_NOSIGNAL) != (ssize_t)size) return 5;
  for (;;) {
    struct pollfd channel = {.fd = ours, .events = POLLIN};
    if (poll(&channel, 1, 20000) != 1) kill(child, SIGKILL);
    ssize_t got = recv(ours, packet, sizeof packet, 0);
    if (got <= 0) break;
    for (ssize_t i = 0; i < got; i++) dprintf(out, "%02x", packet[i]);
    dprintf(out, "\n");
  }
  int status = 0;
  waitpid(child, &status, 0);
  dprintf(out, "exit %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  return 0;
}
