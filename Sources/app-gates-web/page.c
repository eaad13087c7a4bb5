#include "page.h"

static const char style[] =
    "body{font:1.1em/1.5 sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em;text-align:center}"
    ":root{color-scheme:light dark}h1{font-size:1.5em}";

GString *page_answer(const listen_request *request, page_kind kind, const char *status) {
  char *title = g_markup_escape_text(request->words[kind * 2], -1);
  char *text = g_markup_escape_text(request->words[kind * 2 + 1], -1);
  char *language = g_markup_escape_text(request->language, -1);
  char *body = g_strdup_printf(
      "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\"><head><meta charset=\"utf-8\"><title>%s</title>"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>%s</style></head>"
      "<body><h1>%s</h1><p>%s</p></body></html>\n",
      language, request->is_right_to_left ? "rtl" : "ltr", title, style, title, text);
  GString *answer = g_string_new(NULL);
  g_string_printf(
      answer,
      "HTTP/1.1 %s\r\n"
      "Content-Type: text/html; charset=utf-8\r\n"
      "Content-Length: %zu\r\n"
      "Cache-Control: no-store\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
      "frame-ancestors 'none'\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "%s"
      "Connection: close\r\n\r\n%s",
      status, strlen(body), g_str_has_prefix(status, "405") ? "Allow: GET\r\n" : "", body);
  g_free(title);
  g_free(text);
  g_free(language);
  g_free(body);
  return answer;
}
