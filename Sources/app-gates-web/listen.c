#define _GNU_SOURCE
#include "listen.h"
#include "page.h"
#include "query.h"
#include "wire.h"

#include <gio/gio.h>
#include <glib-unix.h>

#include <string.h>
#include <unistd.h>

// Other programs of this computer can knock as well, and web pages can send the browser here: whatever they say, the
// one whose browser is on its way must still get through. So nobody's silence or flood takes the place of another for
// long, and nothing but the right word ends the waiting.
enum {
  CALLERS_MAX = 16,
  BACKLOG = 128,
  HEAD_MAX = 16 << 10,
  REST_READS = 16,
  CALLER_SECONDS = 10,
  LAST_MILLISECONDS = 2000
};

typedef struct {
  GSocketConnection *connection;
  GString *head;
  /// What is still to be written; NULL while the head is read.
  GString *answer;
  gsize written;
  GSource *source;
  guint timer;
  bool is_last;
} caller;

static const listen_request *wanted;
static char *expected_host;
static GQueue callers = G_QUEUE_INIT;
static GSocketService *service;
static guint deadline;

static void drop(caller *one) {
  g_queue_remove(&callers, one);
  if (one->source != NULL) {
    g_source_destroy(one->source);
    g_source_unref(one->source);
  }
  if (one->timer != 0) g_source_remove(one->timer);
  g_object_unref(one->connection);  // closes it
  g_string_free(one->head, TRUE);
  if (one->answer != NULL) g_string_free(one->answer, TRUE);
  bool is_last = one->is_last;
  g_free(one);
  if (is_last) _exit(0);
}

static gboolean on_caller_timeout(gpointer data) {
  caller *one = data;
  one->timer = 0;
  drop(one);
  return G_SOURCE_REMOVE;
}

static void watch(caller *one, GIOCondition condition, GSocketSourceFunc body) {
  if (one->source != NULL) {
    g_source_destroy(one->source);
    g_source_unref(one->source);
  }
  one->source = g_socket_create_source(g_socket_connection_get_socket(one->connection), condition, NULL);
  g_source_set_callback(one->source, G_SOURCE_FUNC(body), one, NULL);
  g_source_attach(one->source, NULL);
}

static gboolean on_writable(GSocket *socket, GIOCondition condition, gpointer data) {
  (void)condition;
  caller *one = data;
  GError *error = NULL;
  gssize count = g_socket_send(
      socket, one->answer->str + one->written, one->answer->len - one->written, NULL, &error);
  if (count < 0 && g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)) {
    g_error_free(error);
    return G_SOURCE_CONTINUE;
  }
  g_clear_error(&error);
  if (count > 0) one->written += (gsize)count;
  if (count > 0 && one->written < one->answer->len) return G_SOURCE_CONTINUE;
  // What is still to be read would have the kernel tear down what was written. Whoever goes on writing is not read to
  // the end, which may never come.
  char rest[4096];
  g_socket_shutdown(socket, FALSE, TRUE, NULL);
  for (int left = REST_READS; left > 0 && g_socket_receive(socket, rest, sizeof rest, NULL, NULL) > 0; left--) continue;
  drop(one);
  return G_SOURCE_REMOVE;
}

/// The value of the one header of this name; NULL where there is none, or more than one. Freed with g_free.
static char *header(char **lines, const char *name) {
  char *found = NULL;
  for (char **line = lines; *line != NULL; line++) {
    char *colon = strchr(*line, ':');
    if (colon == NULL || (size_t)(colon - *line) != strlen(name)) continue;
    if (g_ascii_strncasecmp(*line, name, strlen(name)) != 0) continue;
    if (found != NULL) {
      g_free(found);
      return NULL;
    }
    found = g_strstrip(g_strdup(colon + 1));
  }
  return found;
}

/// What to answer. For the browser that is waited for, this says so to the app.
static GString *judge(caller *one) {
  // What is empty, or goes on behind a NUL, has no first line.
  if (one->head->len == 0 || strlen(one->head->str) != one->head->len) {
    return page_answer(wanted, PAGE_MISSING, "400 Bad Request");
  }
  char **lines = g_strsplit(one->head->str, "\r\n", -1);
  char **words = g_strsplit(lines[0], " ", -1);
  char *host = header(lines + 1, "Host");
  bool is_sound = g_strv_length(words) == 3 && g_str_has_prefix(words[2], "HTTP/1.") && words[1][0] == '/';
  GString *answer;
  // A name of somebody else's that leads to this computer is no address of ours.
  if (!is_sound || host == NULL || strcmp(host, expected_host) != 0) {
    answer = page_answer(wanted, PAGE_MISSING, "400 Bad Request");
  } else {
    char *question = strchr(words[1], '?');
    size_t length = question == NULL ? strlen(words[1]) : (size_t)(question - words[1]);
    const char *query = question == NULL ? "" : question + 1;
    if (length != strlen(wanted->path) || strncmp(words[1], wanted->path, length) != 0) {
      answer = page_answer(wanted, PAGE_MISSING, "404 Not Found");
    } else if (strcmp(words[0], "GET") != 0) {
      answer = page_answer(wanted, PAGE_MISSING, "405 Method Not Allowed");
    } else if (!query_has_state(query, wanted->state)) {
      answer = page_answer(wanted, PAGE_FOREIGN, "403 Forbidden");
    } else {
      one->is_last = true;
      say_redirect(query);
      answer = page_answer(wanted, query_has(query, "code") ? PAGE_DONE : PAGE_REFUSED, "200 OK");
    }
  }
  g_free(host);
  g_strfreev(words);
  g_strfreev(lines);
  return answer;
}

/// Its browser has come: whoever else is there is of no concern any more, and it has little time left.
static void close_the_door(caller *last) {
  g_source_remove(deadline);
  g_socket_service_stop(service);
  g_socket_listener_close(G_SOCKET_LISTENER(service));
  GList *all = g_list_copy(callers.head);
  for (GList *item = all; item != NULL; item = item->next) {
    if (item->data != last) drop(item->data);
  }
  g_list_free(all);
  g_source_remove(last->timer);
  last->timer = g_timeout_add(LAST_MILLISECONDS, on_caller_timeout, last);
}

static gboolean on_readable(GSocket *socket, GIOCondition condition, gpointer data) {
  (void)condition;
  caller *one = data;
  char chunk[4096];
  GError *error = NULL;
  gssize count = g_socket_receive(socket, chunk, sizeof chunk, NULL, &error);
  if (count < 0 && g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)) {
    g_error_free(error);
    return G_SOURCE_CONTINUE;
  }
  g_clear_error(&error);
  if (count <= 0) {
    drop(one);
    return G_SOURCE_REMOVE;
  }
  g_string_append_len(one->head, chunk, count);
  char *end = memmem(one->head->str, one->head->len, "\r\n\r\n", 4);
  if (end == NULL && one->head->len < HEAD_MAX) return G_SOURCE_CONTINUE;
  if (end == NULL) {
    one->answer = page_answer(wanted, PAGE_MISSING, "431 Request Header Fields Too Large");
  } else {
    g_string_truncate(one->head, (gsize)(end - one->head->str));
    one->answer = judge(one);
  }
  if (one->is_last) close_the_door(one);
  watch(one, G_IO_OUT, on_writable);
  return G_SOURCE_CONTINUE;  // the source is destroyed: a new one has taken its place
}

static gboolean on_incoming(GSocketService *from, GSocketConnection *connection, GObject *source, gpointer data) {
  (void)from, (void)source, (void)data;
  // The oldest has had the most time to speak.
  if (g_queue_get_length(&callers) >= CALLERS_MAX) drop(g_queue_peek_head(&callers));
  caller *one = g_new0(caller, 1);
  one->connection = g_object_ref(connection);
  one->head = g_string_new(NULL);
  one->timer = g_timeout_add_seconds(CALLER_SECONDS, on_caller_timeout, one);
  g_socket_set_blocking(g_socket_connection_get_socket(connection), FALSE);
  g_queue_push_tail(&callers, one);
  watch(one, G_IO_IN, on_readable);
  return TRUE;
}

static gboolean on_deadline(gpointer data) {
  (void)data;
  say_fault("timed-out", NULL);
}

/// The app has let go of its end.
static gboolean on_hangup(gint descriptor, GIOCondition condition, gpointer data) {
  (void)descriptor, (void)condition, (void)data;
  _exit(0);
}

void listen_for_redirect(const listen_request *request) {
  wanted = request;
  service = g_socket_service_new();
  g_socket_listener_set_backlog(G_SOCKET_LISTENER(service), BACKLOG);
  GInetAddress *here = g_inet_address_new_from_string("127.0.0.1");
  GSocketAddress *any = g_inet_socket_address_new(here, 0), *bound = NULL;
  if (!g_socket_listener_add_address(
          G_SOCKET_LISTENER(service), any, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &bound, NULL)) {
    say_fault("no-port", NULL);
  }
  guint16 port = g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(bound));
  expected_host = g_strdup_printf("127.0.0.1:%u", port);
  g_signal_connect(service, "incoming", G_CALLBACK(on_incoming), NULL);
  deadline = g_timeout_add(request->milliseconds, on_deadline, NULL);
  g_unix_fd_add(STDOUT_FILENO, G_IO_HUP | G_IO_ERR | G_IO_NVAL, on_hangup, NULL);
  say_listening(port);
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
  _exit(1);
}
