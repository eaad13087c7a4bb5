// A helper that misbehaves. It is built once, and what it does is the name under which it is started.
#include <AuthWire.h>

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static uint8_t packet[AW_PACKET_MAX];
static const char *mode;

static int is(const char *name) { return strcmp(mode, name) == 0; }
static void say(size_t count) { aw_send(AW_HELPER_CHANNEL, packet, count); }
static void text(aw_type type, const char *words) { say(aw_encode_text(type, words, strlen(words), packet)); }
static void hello(void) { say(aw_encode_hello_helper(is("wrong-version") ? "9.9.9" : APP_GATES_VERSION, packet)); }

static void hang(void) {
  for (;;) pause();
}

static void await(aw_packet *out) {
  struct pollfd there = {.fd = AW_HELPER_CHANNEL, .events = POLLIN};
  poll(&there, 1, -1);
  if (aw_receive(AW_HELPER_CHANNEL, AW_SIDE_APP, packet, out) != AW_RECEIVED_PACKET) _exit(9);
}

static void verdict(aw_status status, aw_reason reason, int pam, int account) {
  aw_result result = {.status = status, .reason = reason, .pam_code = pam, .account_code = account};
  result.hidden_answered = !is("not-hidden");
  result.new_password_required = account == 12;
  result.account_unchecked = account == 9;
  say(aw_encode_result(&result, packet));
}

static void success(void) { verdict(AW_STATUS_AUTHENTICATED, AW_REASON_NONE, 0, 0); }

static void tell_surroundings(void) {
  char line[512], name[32], target[256];
  for (char **variable = environ; *variable; variable++) text(AW_TYPE_INFO, *variable);
  // The folder's own descriptor is in it while it is read, and is not one that came with us.
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    if (entry->d_name[0] == '.' || atoi(entry->d_name) == dirfd(folder)) continue;
    snprintf(name, sizeof name, "/proc/self/fd/%.8s", entry->d_name);
    ssize_t count = readlink(name, target, sizeof target - 1);
    target[count < 0 ? 0 : count] = 0;
    snprintf(line, sizeof line, "fd %.8s %s", entry->d_name, target);
    text(AW_TYPE_INFO, line);
  }
}

static void before_prompt(void) {
  if (is("die-after-hello")) _exit(1);
  if (is("hang-after-hello")) hang();
  if (is("hello-twice")) hello();
  if (is("result-at-once")) {
    success();
    _exit(0);
  }
  if (is("flood")) {
    for (int i = 0; i < 100000; i++) text(AW_TYPE_INFO, "flood");
  }
  if (is("surroundings")) tell_surroundings();
  if (is("messages")) {
    text(AW_TYPE_INFO, "one\ntwo\033[31m\342\200\256");
    text(AW_TYPE_ERROR, "broken \377 end");
    char longest[4000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    text(AW_TYPE_INFO, longest);
  }
  if (is("malformed")) aw_send(AW_HELPER_CHANNEL, (const uint8_t *)"\x12\x00\xff\xff", 4);
  if (is("of-the-other-side")) say(aw_encode_hello_app(APP_GATES_VERSION, AW_SERVICE_PASSWORD, packet));
  if (is("oversize")) {
    static uint8_t large[8000];
    aw_send(AW_HELPER_CHANNEL, large, sizeof large);
    hang();
  }
}

static void after_answer(const aw_packet *answer) {
  int right = answer->count == 5 && memcmp(answer->bytes, "right", 5) == 0;
  if (is("die-after-answer")) _exit(0);
  if (is("crash-after-answer")) abort();
  if (is("hang-after-answer")) hang();
  if (is("delay")) say(aw_encode_delay(2500000, packet));
  if (is("expired")) return verdict(AW_STATUS_ACCOUNT_REFUSED, AW_REASON_ACCOUNT_EXPIRED, 0, 13);
  if (is("max-tries")) return verdict(AW_STATUS_MAXTRIES, AW_REASON_NONE, 11, AW_NOT_ASKED);
  if (is("missing-service")) return verdict(AW_STATUS_UNAVAILABLE, AW_REASON_SERVICE_MISSING, -1, -1);
  if (is("new-password")) return verdict(AW_STATUS_AUTHENTICATED, AW_REASON_NONE, 0, 12);
  if (is("unchecked")) return verdict(AW_STATUS_AUTHENTICATED, AW_REASON_NONE, 0, 9);
  if (!right) return verdict(AW_STATUS_REFUSED, AW_REASON_NONE, 7, AW_NOT_ASKED);
  success();
  if (is("more-after-success")) text(AW_TYPE_INFO, "more");
  if (is("twice-success")) success();
  if (is("hang-after-success")) hang();
  if (is("close-then-hang")) {
    close(AW_HELPER_CHANNEL);
    hang();
  }
  if (is("fail-after-success")) _exit(1);
  if (is("killed-after-success")) raise(SIGKILL);
  if (is("fork-keeps-channel") && fork() == 0) {
    sleep(3);
    _exit(0);
  }
}

int main(void) {
  static char path[4096];
  ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
  mode = count > 0 ? strrchr(path, '/') + 1 : "";
  aw_packet in;
  if (is("die-at-start")) _exit(0);
  if (is("hang-at-start")) hang();
  if (is("result-before-hello")) success();
  await(&in);
  hello();
  before_prompt();
  text(is("visible") ? AW_TYPE_PROMPT_VISIBLE : AW_TYPE_PROMPT_HIDDEN, "Password: ");
  if (is("prompt-twice")) text(AW_TYPE_PROMPT_HIDDEN, "Again: ");
  if (is("success-while-asking")) success();
  if (is("die-after-prompt")) _exit(0);
  await(&in);
  if (is("two-prompts")) {
    text(AW_TYPE_PROMPT_VISIBLE, "Code: ");
    await(&in);
  }
  after_answer(&in);
  _exit(0);
}
