/* round_trip PAIRS HELPER BARE
 *
 * Reads a password on its standard input, then starts the helper and the bare program in turn, PAIRS times, and prints
 * a line of two numbers for each pair: milliseconds from the start to the verdict, which is the end of the process, of
 * the helper and of the bare program. Both are started by the same function of the app's, and both ask one question.
 */
#define _GNU_SOURCE
#include "AuthWire.h"
#include "helper_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000 };

static uint8_t packet[AW_PACKET_MAX], buffer[AW_PACKET_MAX];
static char password[512];
static size_t length;

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void stop(const char *words) {
  fprintf(stderr, "round_trip: %s\n", words);
  exit(1);
}

static pid_t start(int binary, int channel) {
  const char *environment[] = {"LANG=C.UTF-8", NULL};
  int error = 0;
  pid_t child = gs_spawn_helper(binary, channel, environment, &error);
  if (child < 0) stop(strerror(error));
  close(channel);
  return child;
}

/* Holds the helper's conversation to its end; whether its last word was yes. */
static bool talk(int channel) {
  aw_packet said;
  bool is_yes = false;
  aw_send(channel, packet, aw_encode_hello_app(APP_GATES_VERSION, AW_SERVICE_PASSWORD, packet));
  for (;;) {
    switch (aw_receive(channel, AW_SIDE_HELPER, buffer, &said)) {
    case AW_RECEIVED_PACKET:
      if (said.type == AW_TYPE_PROMPT_HIDDEN)
        aw_send(channel, packet, aw_encode_answer(password, length, packet));
      if (said.type == AW_TYPE_RESULT)
        is_yes = said.result.status == AW_STATUS_AUTHENTICATED && said.result.hidden_answered;
      break;
    case AW_RECEIVED_NOTHING: {
      struct pollfd waited = {.fd = channel, .events = POLLIN};
      if (poll(&waited, 1, PATIENCE_MS) != 1) stop("the helper does not answer");
      break;
    }
    default: return is_yes;
    }
  }
}

static double helper(int binary) {
  int ours, theirs, status = 0;
  if (!aw_channel(&ours, &theirs)) stop("no channel");
  double began = now_ms();
  pid_t child = start(binary, theirs);
  bool is_yes = talk(ours);
  waitpid(child, &status, 0);
  double ended = now_ms();
  close(ours);
  if (!is_yes || status != 0) stop("the helper did not say yes");
  return ended - began;
}

static double bare(int binary) {
  int ends[2], status = 0;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) stop("no channel");
  double began = now_ms();
  if (send(ends[0], password, length, 0) != (ssize_t)length) stop("no channel");
  pid_t child = start(binary, ends[1]);
  waitpid(child, &status, 0);
  double ended = now_ms();
  close(ends[0]);
  if (status != 0) stop("the bare program did not say yes");
  return ended - began;
}

int main(int count, char **arguments) {
  if (count != 4) stop("usage: round_trip PAIRS HELPER BARE <password");
  length = fread(password, 1, sizeof password - 1, stdin);
  int binaries[2] = {open(arguments[2], O_RDONLY | O_CLOEXEC), open(arguments[3], O_RDONLY | O_CLOEXEC)};
  if (binaries[0] < 0 || binaries[1] < 0) stop(strerror(errno));
  helper(binaries[0]);  /* once for the page cache */
  bare(binaries[1]);
  for (int pair = 0; pair < atoi(arguments[1]); pair++) {
    double found[2];
    /* Each of them first in turn. */
    if (pair % 2 == 0) found[0] = helper(binaries[0]);
    found[1] = bare(binaries[1]);
    if (pair % 2 == 1) found[0] = helper(binaries[0]);
    printf("%.3f %.3f\n", found[0], found[1]);
  }
  return 0;
}
