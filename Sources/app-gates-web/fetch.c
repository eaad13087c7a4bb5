#include "fetch.h"

#include <AuthWire.h>
#include <libsoup/soup.h>

#include <string.h>

enum { REDIRECTS_MAX = 3, HOST_MAX = 253 };

static bool is_loopback(const char *host) {
  if (g_ascii_strcasecmp(host, "localhost") == 0) return true;
  GInetAddress *address = g_inet_address_new_from_string(host);
  bool is = address != NULL && g_inet_address_get_is_loopback(address);
  g_clear_object(&address);
  return is;
}

/// What is sent unencrypted stays on this computer; a name in the address would be a password in it.
static bool is_allowed(GUri *uri) {
  const char *scheme = g_uri_get_scheme(uri), *host = g_uri_get_host(uri);
  if (host == NULL || *host == 0 || g_uri_get_userinfo(uri) != NULL) return false;
  return strcmp(scheme, "https") == 0 || (strcmp(scheme, "http") == 0 && is_loopback(host));
}

static int port_of(GUri *uri) {
  int port = g_uri_get_port(uri);
  if (port > 0) return port;
  return strcmp(g_uri_get_scheme(uri), "https") == 0 ? 443 : 80;
}

static bool is_same_place(GUri *one, GUri *other) {
  return strcmp(g_uri_get_scheme(one), g_uri_get_scheme(other)) == 0 && port_of(one) == port_of(other) &&
         g_ascii_strcasecmp(g_uri_get_host(one), g_uri_get_host(other)) == 0;
}

static _Noreturn void say_error(const GError *error) {
  if (error->domain == G_TLS_ERROR) {
    if (error->code == G_TLS_ERROR_BAD_CERTIFICATE) say_fault("bad-certificate", NULL);
    if (error->code == G_TLS_ERROR_UNAVAILABLE) say_fault("no-tls", NULL);
  }
  if (error->domain == SOUP_SESSION_ERROR) say_fault("malformed", NULL);
  if (error->domain == G_IO_ERROR) {
    // PARTIAL_INPUT: fewer bytes than the head has promised, or none at all.
    if (error->code == G_IO_ERROR_PARTIAL_INPUT) say_fault("truncated", NULL);
    if (error->code == G_IO_ERROR_INVALID_DATA) say_fault("malformed", NULL);
    if (error->code == G_IO_ERROR_TIMED_OUT) say_fault("timed-out", NULL);
  }
  say_fault("unreachable", NULL);
}

static SoupSession *new_session(GUri *uri) {
  char *agent = g_strdup_printf("AppGates/%s", APP_GATES_VERSION);
  // No cookies, no cache, no HSTS store: libsoup has them only where they are added.
  SoupSession *session = soup_session_new_with_options("user-agent", agent, "timeout", 0, "idle-timeout", 0, NULL);
  // Nothing that unpacks: a small file may unfold to fill the memory, and libsoup takes half of one for the whole.
  soup_session_remove_feature_by_type(session, SOUP_TYPE_CONTENT_DECODER);
  if (strcmp(g_uri_get_scheme(uri), "http") == 0) soup_session_set_proxy_resolver(session, NULL);
  return session;
}

static SoupMessage *new_message(const web_request *request, GUri *uri) {
  SoupMessage *message = soup_message_new_from_uri(request->method, uri);
  soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT);
  if (g_bytes_get_size(request->body) > 0) soup_message_set_request_body_from_bytes(message, NULL, request->body);
  SoupMessageHeaders *headers = soup_message_get_request_headers(message);
  soup_message_headers_replace(headers, "Accept-Encoding", "identity");
  for (guint i = 0; i + 1 < request->headers->len; i += 2) {
    soup_message_headers_replace(headers, request->headers->pdata[i], request->headers->pdata[i + 1]);
  }
  return message;
}

static GByteArray *read_body(GInputStream *stream, size_t limit) {
  GByteArray *body = g_byte_array_new();
  guint8 *chunk = g_malloc(65536);
  for (;;) {
    GError *error = NULL;
    gssize count = g_input_stream_read(stream, chunk, 65536, NULL, &error);
    if (count < 0) say_error(error);
    if (count == 0) return body;
    if ((size_t)count > limit - body->len) say_fault("too-large", NULL);
    g_byte_array_append(body, chunk, (guint)count);
  }
}

static _Noreturn void say_message(SoupMessage *message, GInputStream *stream, size_t limit) {
  GByteArray *body = read_body(stream, limit);
  SoupMessageHeaders *headers = soup_message_get_response_headers(message);
  const char *packing = soup_message_headers_get_one(headers, "Content-Encoding");
  if (packing != NULL && g_ascii_strcasecmp(packing, "identity") != 0) say_fault("malformed", NULL);
  // libsoup overlooks that where the server has announced that it closes. In chunks it sees one that is cut short, but
  // not that the last ones are missing: what is in the body has to tell.
  bool has_body = soup_message_get_status(message) != 304 && soup_message_get_status(message) != 204;
  if (has_body && soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH &&
      soup_message_headers_get_content_length(headers) != (goffset)body->len) {
    say_fault("truncated", NULL);
  }
  GPtrArray *fields = g_ptr_array_new();
  SoupMessageHeadersIter iterator;
  const char *name, *value;
  soup_message_headers_iter_init(&iterator, headers);
  while (soup_message_headers_iter_next(&iterator, &name, &value)) {
    g_ptr_array_add(fields, g_ascii_strdown(name, -1));
    g_ptr_array_add(fields, g_strdup(value));
  }
  say_answer(soup_message_get_status(message), fields, body);
}

/// Where the answer sends us; NULL where it does not, or where no address can be read from it.
static GUri *redirect(SoupMessage *message, GUri *from) {
  switch (soup_message_get_status(message)) {
  case 301: case 302: case 303: case 307: case 308: break;
  default: return NULL;
  }
  const char *place = soup_message_headers_get_one(soup_message_get_response_headers(message), "Location");
  return place == NULL ? NULL : g_uri_parse_relative(from, place, SOUP_HTTP_URI_FLAGS, NULL);
}

/// The host of an address where it looks like one, else "": GUri decodes what is escaped in it, and whatever a server
/// writes there would stand in the app's own sentences.
static const char *host_to_show(GUri *uri) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:-[]";
  const char *host = g_uri_get_host(uri);
  if (host == NULL || strlen(host) > HOST_MAX || host[strspn(host, allowed)] != '\0') return "";
  return host;
}

void fetch(const web_request *request) {
  GUri *uri = g_uri_parse(request->address, SOUP_HTTP_URI_FLAGS, NULL);
  if (uri == NULL || !is_allowed(uri)) say_fault("refused-address", NULL);
  SoupSession *session = new_session(uri);
  for (int redirects = 0;; redirects++) {
    SoupMessage *message = new_message(request, uri);
    GError *error = NULL;
    GInputStream *stream = soup_session_send(session, message, NULL, &error);
    if (stream == NULL) say_error(error);
    // A proxy that lets us not through answers in the server's place, and nobody vouches for what it says.
    bool is_encrypted = strcmp(g_uri_get_scheme(uri), "https") == 0;
    if (is_encrypted && soup_message_get_tls_peer_certificate(message) == NULL) say_fault("unreachable", NULL);
    GUri *next = redirect(message, uri);
    if (next == NULL) say_message(message, stream, request->limit);
    // Headers may hold a token, and a body what the user wrote: they are for the place that was asked for.
    bool is_followed = strcmp(request->method, "GET") == 0 && redirects < REDIRECTS_MAX && is_allowed(next) &&
                       is_same_place(uri, next);
    if (!is_followed) say_fault("redirected", host_to_show(next));
    g_object_unref(stream);
    uri = next;
  }
}
