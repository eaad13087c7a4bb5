#define _GNU_SOURCE
#include "wire.h"

#include <AuthWire.h>

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { REQUEST_MAX = 8 << 20, HEADERS_MAX = 64, LIMIT_MAX = 32 << 20, DEADLINE_MAX = 600000, STATE_MIN = 22 };

/// What is left to read.
typedef struct {
  const char *at;
  size_t left;
} fields;

/// Digits alone, no sign, no needless zero. False above `most`.
static bool parse_number(const char *text, size_t count, size_t most, size_t *number) {
  if (count == 0 || count > 9 || (text[0] == '0' && count > 1)) return false;
  size_t value = 0;
  for (size_t i = 0; i < count; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + (size_t)(text[i] - '0');
  }
  *number = value;
  return value <= most;
}

static bool next(fields *rest, const char **bytes, size_t *count) {
  const char *colon = memchr(rest->at, ':', MIN(rest->left, 10));
  if (colon == NULL || !parse_number(rest->at, (size_t)(colon - rest->at), REQUEST_MAX, count)) return false;
  size_t head = (size_t)(colon - rest->at) + 1;
  if (rest->left - head < *count + 1 || colon[1 + *count] != ',') return false;
  *bytes = colon + 1;
  rest->at += head + *count + 1;
  rest->left -= head + *count + 1;
  return true;
}

/// A text without control characters, which would let one header become two.
static bool next_text(fields *rest, char **text) {
  const char *bytes;
  size_t count;
  if (!next(rest, &bytes, &count)) return false;
  for (size_t i = 0; i < count; i++) {
    if ((unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7F) return false;
  }
  *text = g_strndup(bytes, count);
  return true;
}

static bool next_number(fields *rest, size_t most, size_t *number) {
  const char *bytes;
  size_t count;
  return next(rest, &bytes, &count) && parse_number(bytes, count, most, number);
}

static bool next_is(fields *rest, const char *expected) {
  const char *bytes;
  size_t count;
  return next(rest, &bytes, &count) && count == strlen(expected) && memcmp(bytes, expected, count) == 0;
}

static bool read_all(GByteArray *into) {
  guint8 chunk[65536];
  for (;;) {
    ssize_t count = read(STDIN_FILENO, chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || into->len > REQUEST_MAX) return false;
    if (count == 0) return true;
    g_byte_array_append(into, chunk, (guint)count);
  }
}

static bool read_fetch(fields *rest, web_request *request) {
  size_t milliseconds, headers, body_count;
  const char *body;
  if (!next_text(rest, &request->address)) return false;
  if (!next_number(rest, DEADLINE_MAX, &milliseconds) || milliseconds == 0) return false;
  if (!next_number(rest, LIMIT_MAX, &request->limit) || !next_number(rest, HEADERS_MAX, &headers)) return false;
  request->milliseconds = (unsigned)milliseconds;
  request->headers = g_ptr_array_new();
  for (size_t i = 0; i < headers * 2; i++) {
    char *text;
    if (!next_text(rest, &text) || (i % 2 == 0 && *text == 0)) return false;
    g_ptr_array_add(request->headers, text);
  }
  if (!next(rest, &body, &body_count) || rest->left != 0) return false;
  request->body = g_bytes_new_static(body, body_count);
  return strcmp(request->method, "GET") == 0 || strcmp(request->method, "POST") == 0;
}

static bool read_listen(fields *rest, listen_request *listening) {
  size_t milliseconds;
  char *direction;
  if (!next_text(rest, &listening->path) || !next_text(rest, &listening->state)) return false;
  if (!next_number(rest, DEADLINE_MAX, &milliseconds) || milliseconds == 0) return false;
  listening->milliseconds = (unsigned)milliseconds;
  if (!next_text(rest, &listening->language) || !next_text(rest, &direction)) return false;
  listening->is_right_to_left = strcmp(direction, "rtl") == 0;
  for (size_t i = 0; i < G_N_ELEMENTS(listening->words); i++) {
    if (!next_text(rest, &listening->words[i]) || !g_utf8_validate(listening->words[i], -1, NULL)) return false;
  }
  // A word that anybody could guess would let anybody in.
  return rest->left == 0 && listening->path[0] == '/' && strlen(listening->state) >= STATE_MIN;
}

asked read_request(web_request *request, listen_request *listening) {
  GByteArray *all = g_byte_array_new();  // kept until the end: the body points into it
  if (!read_all(all)) return ASKED_NOTHING;
  fields rest = {(const char *)all->data, all->len};
  if (!next_is(&rest, "app-gates-web") || !next_is(&rest, APP_GATES_VERSION)) return ASKED_NOTHING;
  if (!next_text(&rest, &request->method)) return ASKED_NOTHING;
  if (strcmp(request->method, "LISTEN") == 0) return read_listen(&rest, listening) ? ASKED_LISTEN : ASKED_NOTHING;
  return read_fetch(&rest, request) ? ASKED_FETCH : ASKED_NOTHING;
}

/// The deadline comes in between at any time: whoever takes this first speaks, and nobody else.
static atomic_flag has_spoken = ATOMIC_FLAG_INIT;

static void write_all(const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t written = write(STDOUT_FILENO, (const char *)bytes + done, count - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    done += (size_t)written;
  }
}

/// Only what may be called in a signal handler.
static void on_deadline(int signal_number) {
  (void)signal_number;
  static const char words[] = "5:fault,9:timed-out,0:,";
  if (atomic_flag_test_and_set(&has_spoken)) return;
  write_all(words, sizeof words - 1);
  _exit(0);
}

void begin_deadline(unsigned milliseconds) {
  struct sigaction action = {.sa_handler = on_deadline, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {.it_value = {milliseconds / 1000, (suseconds_t)(milliseconds % 1000) * 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void add(GByteArray *fields, const void *bytes, size_t count) {
  char head[24];
  int length = g_snprintf(head, sizeof head, "%zu:", count);
  g_byte_array_append(fields, (const guint8 *)head, (guint)length);
  g_byte_array_append(fields, bytes, (guint)count);
  g_byte_array_append(fields, (const guint8 *)",", 1);
}

static void add_text(GByteArray *fields, const char *text) { add(fields, text, strlen(text)); }

static void add_number(GByteArray *fields, unsigned number) {
  char text[16];
  g_snprintf(text, sizeof text, "%u", number);
  add_text(fields, text);
}

/// Not exit(): what a module of GIO left for atexit has no say in it.
static _Noreturn void say(GByteArray *fields) {
  if (atomic_flag_test_and_set(&has_spoken)) {
    for (;;) pause();  // the deadline is speaking, on another thread
  }
  write_all(fields->data, fields->len);
  _exit(0);
}

void say_answer(unsigned status, GPtrArray *headers, GByteArray *body) {
  GByteArray *fields = g_byte_array_new();
  add_text(fields, "answer");
  add_number(fields, status);
  add_number(fields, headers->len / 2);
  for (guint i = 0; i < headers->len; i++) add_text(fields, headers->pdata[i]);
  add(fields, body->data, body->len);
  say(fields);
}

void say_fault(const char *name, const char *host) {
  GByteArray *fields = g_byte_array_new();
  add_text(fields, "fault");
  add_text(fields, name);
  add_text(fields, host == NULL ? "" : host);
  say(fields);
}

/// For what is not the last word: no deadline speaks in between, as the one of a listener is a turn of its loop.
static void say_first(const char *name, const char *value) {
  GByteArray *fields = g_byte_array_new();
  add_text(fields, name);
  add_text(fields, value);
  write_all(fields->data, fields->len);
  g_byte_array_unref(fields);
}

void say_listening(unsigned port) {
  char text[16];
  g_snprintf(text, sizeof text, "%u", port);
  say_first("listening", text);
}

void say_redirect(const char *query) { say_first("redirect", query); }
