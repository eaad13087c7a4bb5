#define _GNU_SOURCE
#include "secret_buffer.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct GsSecret {
  size_t length;
  size_t pages;
  char bytes[GS_SECRET_LIMIT + 1];
};

static int is_start(char byte) { return ((unsigned char)byte & 0xC0) != 0x80; }

static size_t offset_of(const GsSecret *secret, int character) {
  size_t offset = 0;
  while (offset < secret->length) {
    if (is_start(secret->bytes[offset]) && character-- == 0) break;
    offset++;
  }
  return offset;
}

GsSecret *gs_secret_new(int *locked) {
  // Whole pages of its own: mlock and MADV_DONTDUMP work on pages, and a neighbour must not undo them.
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t pages = (sizeof(GsSecret) + page - 1) / page * page;
  GsSecret *secret = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (secret == MAP_FAILED) return NULL;
  *locked = mlock(secret, pages) == 0;
  madvise(secret, pages, MADV_DONTDUMP);
  madvise(secret, pages, MADV_DONTFORK);
  secret->pages = pages;
  return secret;
}

void gs_secret_free(GsSecret *secret) {
  if (secret == NULL) return;
  size_t pages = secret->pages;
  explicit_bzero(secret, pages);
  munmap(secret, pages);
}

void gs_secret_clear(GsSecret *secret) {
  explicit_bzero(secret->bytes, sizeof secret->bytes);
  secret->length = 0;
}

int gs_secret_insert(GsSecret *secret, int position, const char *bytes, size_t length) {
  if (length > GS_SECRET_LIMIT - secret->length) return 0;
  size_t offset = offset_of(secret, position);
  memmove(secret->bytes + offset + length, secret->bytes + offset, secret->length - offset);
  memcpy(secret->bytes + offset, bytes, length);
  secret->length += length;
  int characters = 0;
  for (size_t i = 0; i < length; i++) characters += is_start(bytes[i]);
  return characters;
}

void gs_secret_delete(GsSecret *secret, int start, int end) {
  size_t from = offset_of(secret, start);
  size_t to = end < 0 ? secret->length : offset_of(secret, end);
  if (to <= from) return;
  memmove(secret->bytes + from, secret->bytes + to, secret->length - to);
  size_t length = secret->length - (to - from);
  explicit_bzero(secret->bytes + length, secret->length - length);
  secret->length = length;
}

int gs_secret_length(const GsSecret *secret, int start, int end) {
  size_t from = offset_of(secret, start);
  size_t to = end < 0 ? secret->length : offset_of(secret, end);
  return to > from ? (int)(to - from) : 0;
}

const void *gs_secret_bytes(const GsSecret *secret, size_t *length) {
  *length = secret->length;
  return secret->bytes;
}
