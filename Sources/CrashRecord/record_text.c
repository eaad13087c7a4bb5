#include "record_text.h"

#include <errno.h>
#include <unistd.h>

void cr_flush(CrText *text) {
  for (size_t done = 0; done < text->used;) {
    ssize_t count = write(text->file, text->bytes + done, text->used - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // a full disk: what is there already has to do
    done += (size_t)count;
  }
  text->used = 0;
}

static void put_byte(CrText *text, char byte) {
  if (text->used == sizeof text->bytes) cr_flush(text);
  text->bytes[text->used++] = byte;
}

void cr_put(CrText *text, const char *words) {
  while (*words) put_byte(text, *words++);
}

void cr_put_name(CrText *text, const char *name) {
  for (int count = 0; *name && count < 63; count++, name++) {
    char byte = *name;
    int is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                   byte == '.' || byte == '-' || byte == '+' || byte == '_';
    put_byte(text, is_plain ? byte : '_');
  }
}

static void put_digits(CrText *text, uint64_t number, unsigned base) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number);
  while (count) put_byte(text, digits[--count]);
}

void cr_put_number(CrText *text, uint64_t number) { put_digits(text, number, 10); }

void cr_put_hex(CrText *text, uint64_t number) {
  cr_put(text, "0x");
  put_digits(text, number, 16);
}
