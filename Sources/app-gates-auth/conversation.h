// Our side of the channel, and PAM's conversation function on top of it.
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include <AuthWire.h>
#include <security/pam_appl.h>
#include <stdbool.h>

/// What one conversation has come to.
typedef struct conversation {
  bool may_prompt;       // the fingerprint service has nothing to ask
  bool asked_in_vain;    // it asked all the same
  bool ended;            // a side broke the rules: no success counts any more
  bool hidden_answered;  // a hidden prompt was answered
  int messages;          // how many PAM has sent
} conversation;

/// Waits for the app's next packet. It lies in locked memory and is good until the next call. False: malformed.
///
/// Ends the process where the app has closed the channel.
bool await_packet(aw_packet *packet);

bool say_hello(void);
bool say_result(const aw_result *result);

/// The conversation function; `data` is a `conversation`.
int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *data);

/// The PAM_FAIL_DELAY function: tells the app how long to wait, and returns at once.
void on_delay(int code, unsigned microseconds, void *data);

#endif
