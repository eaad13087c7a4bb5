#pragma once

#include <stddef.h>
#include <stdint.h>

/// Text that is put together in a buffer of fixed size and written out when that is full. Safe in signal handlers.
typedef struct {
  int file;
  size_t used;
  char bytes[512];
} CrText;

/// Hands what was put together to the kernel.
void cr_flush(CrText *text);
/// Adds a string as it stands.
void cr_put(CrText *text, const char *words);
/// Adds a name that comes from outside: at most 63 letters, digits and marks, each other byte as `_`.
void cr_put_name(CrText *text, const char *name);
/// Adds a number in decimal.
void cr_put_number(CrText *text, uint64_t number);
/// Adds a number in hexadecimal, with `0x` before it.
void cr_put_hex(CrText *text, uint64_t number);
