#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <libintl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int watched_channel = -1;

bool become_unreadable(void) {
  struct rlimit none = {0, 0};
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && setrlimit(RLIMIT_CORE, &none) == 0;
}

bool is_channel(int descriptor) {
  int domain = 0, type = 0;
  socklen_t size = sizeof(int);
  return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX &&
         getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

/// Keeps what says in which language PAM is to speak; the values are the app's, so a path is not let through.
static bool keep_language(void) {
  static const char *const names[] = {"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"};
  enum { COUNT = sizeof names / sizeof *names };
  char *values[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    const char *value = getenv(names[i]);
    bool fit = value != NULL && strlen(value) <= 128 && strchr(value, '/') == NULL;
    values[i] = fit ? strdup(value) : NULL;
  }
  bool done = clearenv() == 0 && setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1) == 0;
  for (size_t i = 0; i < COUNT; i++) {
    if (values[i] != NULL) done = setenv(names[i], values[i], 1) == 0 && done;
    free(values[i]);
  }
  setlocale(LC_ALL, "");
  // What PAM says then comes as UTF-8 in every locale, as the app expects it.
  bind_textdomain_codeset("Linux-PAM", "UTF-8");
  return done;
}

bool shed_surroundings(void) {
  prctl(PR_SET_NAME, "app-gates-auth", 0, 0, 0);  // started through a descriptor, we would be called by its number
  closefrom(4);
  if (fcntl(3, F_SETFD, FD_CLOEXEC) != 0) return false;  // programs that a module runs must not hold the channel
  int null = open("/dev/null", O_RDWR);
  if (null < 0) return false;
  for (int i = 0; i < 3; i++) {
    if (null != i && dup2(null, i) < 0) return false;
  }
  if (null > 3) close(null);
  umask(077);
  return chdir("/") == 0 && keep_language();
}

/// The app has closed the channel: nobody is left to tell, also in the midst of a PAM module.
static void on_channel(int signal_number) {
  (void)signal_number;
  int saved = errno;
  struct pollfd channel = {.fd = watched_channel, .events = POLLIN | POLLRDHUP};
  if (poll(&channel, 1, 0) == 1 && (channel.revents & (POLLHUP | POLLRDHUP)) != 0) _exit(1);
  errno = saved;
}

bool die_with_parent(int channel) {
  // The app ends us by SIGKILL when it cancels, and the kernel does when the app dies. A signal at hang-up covers the
  // case between, an app that lives and has let go of us while a module waits for a finger, say. It costs no thread,
  // which PAM modules that fork or drop rights would stumble over.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  struct ucred maker;
  socklen_t size = sizeof maker;
  if (getsockopt(channel, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0) return false;
  // A parent that died before prctl has left us to another process: that one did not make the channel.
  if (maker.pid == 0 || maker.pid != getppid() || maker.uid != getuid()) return false;
  watched_channel = channel;
  struct sigaction watch = {.sa_handler = on_channel, .sa_flags = SA_RESTART};
  struct sigaction ignore = {.sa_handler = SIG_IGN};  // a module's own pipe that breaks must not end us
  sigemptyset(&watch.sa_mask);
  sigemptyset(&ignore.sa_mask);
  return sigaction(SIGIO, &watch, NULL) == 0 && sigaction(SIGPIPE, &ignore, NULL) == 0 &&
         fcntl(channel, F_SETOWN, getpid()) == 0 && fcntl(channel, F_SETFL, O_ASYNC) == 0;
}
