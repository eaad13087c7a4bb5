// The socket that the packets travel on, and the wiping of what they carried.
#define _GNU_SOURCE
#include "AuthWire.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool aw_channel(int *app_end, int *helper_end) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
    int why = errno;
    close(ends[0]);
    close(ends[1]);
    errno = why;
    return false;
  }
  *app_end = ends[0];
  *helper_end = ends[1];
  return true;
}

bool aw_send(int channel, const uint8_t *packet, size_t count) {
  for (;;) {
    ssize_t sent = send(channel, packet, count, MSG_NOSIGNAL);
    if (sent >= 0) return (size_t)sent == count;
    if (errno != EINTR) return false;
  }
}

aw_received aw_receive(int channel, aw_side from, uint8_t *buffer, aw_packet *out) {
  memset(out, 0, sizeof *out);
  for (;;) {
    // With MSG_TRUNC the size is the packet's own, so that one too long is noticed and not shortened.
    ssize_t size = recv(channel, buffer, AW_PACKET_MAX, MSG_DONTWAIT | MSG_TRUNC);
    if (size > 0) return aw_decode(buffer, (size_t)size, from, out) ? AW_RECEIVED_PACKET : AW_RECEIVED_MALFORMED;
    if (size == 0) return AW_RECEIVED_END;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return AW_RECEIVED_NOTHING;
    // ECONNRESET is said once, where the other side went with something unread; what it sent before is still there.
    if (errno != EINTR && errno != ECONNRESET) return AW_RECEIVED_FAILED;
  }
}

void aw_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }
