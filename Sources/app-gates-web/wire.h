#pragma once

#include "listen.h"

#include <gio/gio.h>
#include <stdbool.h>

// What is said between the app and this program, on standard input and output: fields, one after another, each with
// its length in decimal digits, a colon, so many bytes, and a comma.
//
//   request  "app-gates-web", version, method, address, milliseconds, most bytes of the answer's body,
//            number of headers, (name, value) …, body
//   answer   "answer", status, number of headers, (name in lower case, value) …, body
//   fault    "fault", its name, the host that a redirect leads to or nothing
//
// Nothing follows the last field. Of a browser that is to come back to this computer:
//
//   request  "app-gates-web", version, "LISTEN", path, state, milliseconds, language, "rtl" or "ltr",
//            (heading, sentence) of the pages done, refused, foreign and missing
//   first    "listening", port
//   then     "redirect", query; or a fault, "no-port" or "timed-out"

/// A request as it was read.
typedef struct {
  char *method;
  char *address;
  /// For all of it, from now on.
  unsigned milliseconds;
  /// Of the body after decoding, in bytes.
  size_t limit;
  /// Name, value, name, value …, then NULL.
  GPtrArray *headers;
  GBytes *body;
} web_request;

/// What standard input asks for.
typedef enum { ASKED_NOTHING, ASKED_FETCH, ASKED_LISTEN } asked;

/// Reads all of standard input into one of the two; nothing where that is no request of our own version.
asked read_request(web_request *request, listen_request *listening);

/// Lets the deadline begin: when it is over, this says so and ends the process.
void begin_deadline(unsigned milliseconds);

/// Says what the server answered, and ends the process.
_Noreturn void say_answer(unsigned status, GPtrArray *headers, GByteArray *body);

/// Says on which port the browser is waited for, and goes on.
void say_listening(unsigned port);

/// Says what the browser came with, and goes on.
void say_redirect(const char *query);

/// Says what went wrong, and ends the process. `host` may be NULL.
_Noreturn void say_fault(const char *name, const char *host);
