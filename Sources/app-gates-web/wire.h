#pragma once

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
// Nothing follows the last field.

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

/// Reads all of standard input. False where that is no request of our own version.
bool read_request(web_request *request);

/// Lets the deadline begin: when it is over, this says so and ends the process.
void begin_deadline(unsigned milliseconds);

/// Says what the server answered, and ends the process.
_Noreturn void say_answer(unsigned status, GPtrArray *headers, GByteArray *body);

/// Says what went wrong, and ends the process. `host` may be NULL.
_Noreturn void say_fault(const char *name, const char *host);
