// A program in app-gates-web's place that behaves as its name says. Built by the tests in FakeWebProgram.swift.
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;
static char request[16 << 20];
static size_t count;
static char name[4096];

static bool is(const char *mode) { return strcmp(strrchr(name, '/') + 1, mode) == 0; }

static void say(const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t written = write(1, (const char *)bytes + done, size - done);
    if (written <= 0) _exit(7);
    done += (size_t)written;
  }
}

static void say_text(const char *text) { say(text, strlen(text)); }

static void say_body(const char *body, size_t size) {
  char head[80];
  snprintf(head, sizeof head, "6:answer,3:200,1:1,1:x,1:y,%zu:", size);
  say_text(head);
  say(body, size);
  say_text(",");
}

static _Noreturn void hang(void) {
  for (;;) pause();
}

int main(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(60);  // whatever else happens, no test leaves us behind
  signal(SIGPIPE, SIG_IGN);
  if (readlink("/proc/self/exe", name, sizeof name - 1) <= 0) return 9;
  for (ssize_t got; (got = read(0, request + count, sizeof request - count)) > 0; count += (size_t)got) continue;
  if (is("echo")) say_body(request, count);
  if (is("environment")) {
    char text[65536] = "";
    for (char **one = environ; *one != NULL; one++) strcat(strcat(text, *one), "\n");
    say_body(text, strlen(text));
  }
  if (is("twice")) say_body("", 0), say_body("", 0);
  if (is("longer")) say_body("", 0), say_text("x");
  if (is("shorter")) say_text("6:answer,3:200,1:0,9:x");
  if (is("garbage")) say_text("HTTP/1.1 200 OK\r\n\r\n");
  if (is("counts")) say_text("6:answer,3:200,9:999999999,1:x,");
  if (is("fault")) say_text("5:fault,10:redirected,11:example.org,");
  if (is("unknown")) say_text("5:fault,5:weird,0:,");
  if (is("exits")) say_body("", 0), _exit(3);
  if (is("crashes")) say_body("", 0), raise(SIGKILL);
  if (is("hangs")) hang();
  if (is("lingers")) say_body("", 0), hang();
  if (is("deaf")) close(1), hang();
  if (is("slow")) {
    for (;;) say_text("1"), usleep(20000);
  }
  if (is("floods")) {
    static char much[65536];
    for (;;) say(much, sizeof much);
  }
  if (is("large")) {
    static char much[3 << 20];
    say_body(much, sizeof much);
  }
  return 0;
}
