// app-gates-web: one request to one server, or one wait for the browser to come back from one, then exit. Started by App
// Gates, never by hand.
//
// All of the program's talk over a network is here: a server that hangs, floods or breaks a parser has a process of its
// own to do it in, which holds nothing of the user's but this request.
#include "confine.h"
#include "fetch.h"
#include "wire.h"

#include <AuthWire.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_SAID = 0, EXIT_SILENT = 1, EXIT_USAGE = 2 };

static int usage(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "--version") == 0) {
    puts("app-gates-web " APP_GATES_VERSION);
    return EXIT_SAID;
  }
  bool asked = count == 2 && strcmp(arguments[1], "--help") == 0;
  fputs("app-gates-web sends one request, or waits for the browser, on behalf of App Gates: start app-gates instead.\n",
        asked ? stdout : stderr);
  return asked ? EXIT_SAID : EXIT_USAGE;
}

int main(int count, char **arguments) {
  if (!become_unreadable()) return EXIT_SILENT;
  if (!is_channel(STDOUT_FILENO)) return usage(count, arguments);
  if (!die_with_parent(STDOUT_FILENO)) return EXIT_SILENT;
  web_request request;
  listen_request listening;
  switch (read_request(&request, &listening)) {
  case ASKED_NOTHING: say_fault("not-understood", NULL);
  case ASKED_LISTEN: listen_for_redirect(&listening);
  case ASKED_FETCH: break;
  }
  begin_deadline(request.milliseconds);
  fetch(&request);
}
