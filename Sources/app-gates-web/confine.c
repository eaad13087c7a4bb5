#define _GNU_SOURCE
#include "confine.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// Of data, in bytes: several times what the largest answer takes.
enum { MEMORY_MAX = 256 << 20 };

bool become_unreadable(void) {
  struct rlimit none = {0, 0};
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && setrlimit(RLIMIT_CORE, &none) == 0;
}

bool is_channel(int descriptor) {
  int domain = 0, type = 0;
  socklen_t size = sizeof(int);
  return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX &&
         getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

bool die_with_parent(int channel) {
  prctl(PR_SET_NAME, "app-gates-web", 0, 0, 0);  // started through a descriptor, we would be called by its number
  closefrom(3);
  umask(077);
  signal(SIGPIPE, SIG_IGN);
  struct rlimit memory = {MEMORY_MAX, MEMORY_MAX};
  if (chdir("/") != 0 || setrlimit(RLIMIT_DATA, &memory) != 0) return false;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  struct ucred maker;
  socklen_t size = sizeof maker;
  if (getsockopt(channel, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0) return false;
  // A parent that died before prctl has left us to another process: that one did not make the channel.
  return maker.pid != 0 && maker.pid == getppid() && maker.uid == getuid();
}
