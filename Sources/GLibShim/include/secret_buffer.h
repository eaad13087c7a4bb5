#pragma once

#include <stddef.h>

/// The longest secret that a field takes, in bytes: what PAM's own conversation allows, less the closing NUL.
#define GS_SECRET_LIMIT 511

/// Bytes of a secret in pages of their own, kept out of swap and core dumps, and wiped when it goes.
///
/// One thread only. Positions are counted in characters (UTF-8 sequences), as the field that shows the bullets does.
typedef struct GsSecret GsSecret;

/// Makes an empty secret; `*locked` says whether its pages could be locked. NULL where no page is to be had.
GsSecret *gs_secret_new(int *locked);
/// Wipes and frees. NULL is allowed.
void gs_secret_free(GsSecret *secret);
/// Wipes the bytes and starts anew.
void gs_secret_clear(GsSecret *secret);
/// Puts bytes in before the character at `position`. Returns how many characters went in: all or none.
int gs_secret_insert(GsSecret *secret, int position, const char *bytes, size_t length);
/// Takes out the characters from `start` up to `end`; a negative `end` means up to the last.
void gs_secret_delete(GsSecret *secret, int start, int end);
/// How many bytes the characters from `start` up to `end` take; a negative `end` means up to the last.
int gs_secret_length(const GsSecret *secret, int start, int end);
/// The bytes, not closed by a NUL; valid until the next change.
const void *gs_secret_bytes(const GsSecret *secret, size_t *length);
