#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/// What is waited for: a browser that comes back to 127.0.0.1 with a word that only it and the app know.
typedef struct {
  /// Such as "/cb".
  char *path;
  char *state;
  /// For all of it, from now on.
  unsigned milliseconds;
  /// Such as "de".
  char *language;
  bool is_right_to_left;
  /// Heading and sentence of each page, plain text: done, refused, foreign, missing.
  char *words[8];
} listen_request;

/// Waits for the browser, says what it came with, and ends the process.
_Noreturn void listen_for_redirect(const listen_request *request);
