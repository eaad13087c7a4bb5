// app-gates-auth: one PAM conversation for one service, then exit. Started by App Gates, never by hand.
//
// The order matters, and this function is it: become unreadable, make sure who asks, agree on the version, look at
// who we are, run PAM, say the verdict, exit. Only a RESULT packet followed by exit code 0 is a verdict.
#include "confine.h"
#include "conversation.h"
#include "verify.h"

#include <AuthWire.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_VERDICT = 0, EXIT_NO_VERDICT = 1, EXIT_USAGE = 2 };

static int usage(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "--version") == 0) {
    puts("app-gates-auth " APP_GATES_VERSION);
    return EXIT_VERDICT;
  }
  bool asked = count == 2 && strcmp(arguments[1], "--help") == 0;
  fputs("app-gates-auth asks PAM who you are on behalf of App Gates: start app-gates instead.\n",
        asked ? stdout : stderr);
  return asked ? EXIT_VERDICT : EXIT_USAGE;
}

static bool equals(const uint8_t *bytes, size_t count, const char *text) {
  return count == strlen(text) && memcmp(bytes, text, count) == 0;
}

int main(int count, char **arguments) {
  if (!become_unreadable()) return EXIT_NO_VERDICT;
  if (!is_channel(AW_HELPER_CHANNEL)) return usage(count, arguments);
  if (!shed_surroundings() || !die_with_parent(AW_HELPER_CHANNEL)) return EXIT_NO_VERDICT;

  aw_packet hello;
  if (!await_packet(&hello) || hello.type != AW_TYPE_HELLO_APP) return EXIT_NO_VERDICT;
  bool same_version = equals(hello.bytes, hello.count, APP_GATES_VERSION);
  const char *service = NULL;
  if (equals(hello.service, hello.service_count, AW_SERVICE_PASSWORD)) service = AW_SERVICE_PASSWORD;
  if (equals(hello.service, hello.service_count, AW_SERVICE_FINGERPRINT)) service = AW_SERVICE_FINGERPRINT;
  if (!say_hello()) return EXIT_NO_VERDICT;

  aw_result result;
  if (!same_version) {
    result = unavailable(AW_REASON_VERSION_MISMATCH);
  } else if (service == NULL) {
    result = unavailable(AW_REASON_SERVICE_UNKNOWN);
  } else {
    result = verify(service);
  }
  bool said = say_result(&result);
  end_verification();
  // Not exit(): what a PAM module left for atexit has no say in the exit code.
  _exit(said ? EXIT_VERDICT : EXIT_NO_VERDICT);
}
