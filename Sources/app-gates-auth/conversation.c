#define _GNU_SOURCE
#include "conversation.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// More than any honest module says in one attempt, few enough that a flooding one ends soon.
enum { MESSAGES_MAX = 64 };

// Answers pass through `incoming`: whole pages of its own, so that they can be locked.
static _Alignas(4096) uint8_t incoming[8192];
static uint8_t outgoing[AW_PACKET_MAX];

static bool is_readable(int milliseconds) {
  struct pollfd channel = {.fd = AW_HELPER_CHANNEL, .events = POLLIN};
  for (;;) {
    int count = poll(&channel, 1, milliseconds);
    if (count >= 0) return count > 0;
    if (errno != EINTR) return true;  // whatever it is, reading will tell
  }
}

bool await_packet(aw_packet *packet) {
  mlock(incoming, sizeof incoming);  // where it fails, the page may be swapped: no reason not to verify
  for (;;) {
    is_readable(-1);
    switch (aw_receive(AW_HELPER_CHANNEL, AW_SIDE_APP, incoming, packet)) {
    case AW_RECEIVED_PACKET: return true;
    case AW_RECEIVED_NOTHING: continue;
    case AW_RECEIVED_MALFORMED: aw_wipe(incoming, sizeof incoming); return false;
    case AW_RECEIVED_END:
    case AW_RECEIVED_FAILED: aw_wipe(incoming, sizeof incoming); _exit(1);
    }
  }
}

static bool say(size_t size) { return size > 0 && aw_send(AW_HELPER_CHANNEL, outgoing, size); }

bool say_hello(void) { return say(aw_encode_hello_helper(APP_GATES_VERSION, outgoing)); }

bool say_result(const aw_result *result) { return say(aw_encode_result(result, outgoing)); }

static bool say_text(aw_type type, const char *text) {
  if (text == NULL) text = "";
  return say(aw_encode_text(type, text, strnlen(text, AW_PAYLOAD_MAX), outgoing));
}

void on_delay(int code, unsigned microseconds, void *data) {
  const conversation *talk = data;
  if (code == PAM_SUCCESS || microseconds == 0 || talk->ended || talk->asked_in_vain) return;
  say(aw_encode_delay(microseconds, outgoing));
}

/// The app broke the rules: ends here, without a word to PAM. A module may count a conversation that fails as a try.
static _Noreturn void end_conversation(void) {
  aw_wipe(incoming, sizeof incoming);
  aw_result ended = {.status = AW_STATUS_CONVERSATION_ENDED, .pam_code = AW_NOT_ASKED, .account_code = AW_NOT_ASKED};
  _exit(say_result(&ended) ? 0 : 1);
}

/// Shows a prompt and waits for the answer to it. NULL where no memory is left.
static char *ask(aw_type type, const char *text) {
  // An answer that is there before its question was meant for another one.
  if (is_readable(0)) end_conversation();
  aw_packet packet;
  if (!say_text(type, text) || !await_packet(&packet) || packet.type != AW_TYPE_ANSWER) end_conversation();
  char *answer = malloc(packet.count + 1);
  if (answer != NULL) {
    mlock(answer, packet.count + 1);
    memcpy(answer, packet.bytes, packet.count);
    answer[packet.count] = 0;
  }
  aw_wipe(incoming, sizeof incoming);
  return answer;
}

/// One message of PAM's. False ends the conversation.
static bool handle(const struct pam_message *message, struct pam_response *response, conversation *talk) {
  if (message == NULL || ++talk->messages > MESSAGES_MAX) return false;
  bool hidden = message->msg_style == PAM_PROMPT_ECHO_OFF;
  switch (message->msg_style) {
  case PAM_TEXT_INFO: return say_text(AW_TYPE_INFO, message->msg);
  case PAM_ERROR_MSG: return say_text(AW_TYPE_ERROR, message->msg);
  case PAM_PROMPT_ECHO_OFF:
  case PAM_PROMPT_ECHO_ON:
    if (!talk->may_prompt) {
      talk->asked_in_vain = true;
      return false;
    }
    if (response == NULL) return false;
    response->resp = ask(hidden ? AW_TYPE_PROMPT_HIDDEN : AW_TYPE_PROMPT_VISIBLE, message->msg);
    if (response->resp == NULL) return false;
    talk->hidden_answered = talk->hidden_answered || hidden;
    return true;
  default: return false;  // binary prompts and the like: nothing here could answer them
  }
}

int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *data) {
  conversation *talk = data;
  if (responses != NULL) *responses = NULL;
  if (talk->ended || count <= 0 || count > PAM_MAX_NUM_MSG || messages == NULL) {
    talk->ended = true;
    return PAM_CONV_ERR;
  }
  // Modules exist that pass no place for responses when they only tell something.
  struct pam_response *given = responses == NULL ? NULL : calloc((size_t)count, sizeof *given);
  if (responses != NULL && given == NULL) return PAM_BUF_ERR;
  for (int i = 0; i < count; i++) {
    if (handle(messages[i], given == NULL ? NULL : &given[i], talk)) continue;
    talk->ended = true;
    for (int j = 0; given != NULL && j < count; j++) {
      if (given[j].resp == NULL) continue;
      aw_wipe(given[j].resp, strlen(given[j].resp));
      free(given[j].resp);
    }
    free(given);
    return PAM_CONV_ERR;
  }
  if (responses != NULL) *responses = given;
  return PAM_SUCCESS;
}
