// What the app and its PAM helper say to each other, and how it looks in bytes. One codec serves both sides.
//
// The channel is a SOCK_SEQPACKET socket pair, descriptor 3 of the helper: one packet is one message, so that a
// message arrives whole or not at all. A packet is a header of four bytes (type and payload length, both unsigned,
// 16 bits, little-endian) and a payload of at most 4096 bytes. A packet is accepted as a whole or refused as a whole.
//
//   app → helper   HELLO_APP      version, service          first, once
//                  ANSWER         1 to 511 bytes, no NUL    one for each prompt, after it
//   helper → app   HELLO_HELPER   version                   first, once
//                  PROMPT_HIDDEN  text                      asks for an ANSWER not to be shown
//                  PROMPT_VISIBLE text                      asks for an ANSWER that may be shown
//                  INFO, ERROR    text                      shown as PAM gives it
//                  DELAY          microseconds              PAM wants the next try to wait this long
//                  RESULT         the verdict               last, once; then the helper exits with 0
//
// Texts are bytes as a PAM module wrote them, without NUL: nothing promises UTF-8. All functions may be called from
// any thread; none keeps state or allocates.
#ifndef AUTH_WIRE_H
#define AUTH_WIRE_H

#include <pwd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "AppGatesVersion.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AW_HEADER_SIZE 4
#define AW_PAYLOAD_MAX 4096
#define AW_PACKET_MAX 4100 // header and payload
#define AW_ANSWER_MAX 511
#define AW_NAME_MAX 64         // a version or the name of a service
#define AW_HELPER_CHANNEL 3    // the descriptor on which the helper finds its end
#define AW_NOT_ASKED (-1)      // in the place of a PAM code: PAM was not asked

#define AW_SERVICE_PASSWORD "app-gates"
#define AW_SERVICE_FINGERPRINT "app-gates-fingerprint"

// Swift then sees an enumeration in its own spelling that needs no default branch; the decoder lets no other value
// through. Other compilers read past it.
#if defined(__clang__)
#define AW_ENUM __attribute__((enum_extensibility(closed)))
#define AW_SWIFT(name) __attribute__((swift_name(#name)))
#else
#define AW_ENUM
#define AW_SWIFT(name)
#endif

/// Which end a packet comes from. A message of the other direction is malformed.
typedef enum AW_ENUM aw_side {
  AW_SIDE_APP AW_SWIFT(app) = 0,
  AW_SIDE_HELPER AW_SWIFT(helper) = 1,
} aw_side;

/// The kinds of message.
typedef enum AW_ENUM aw_type {
  AW_TYPE_HELLO_APP AW_SWIFT(helloApp) = 1,
  AW_TYPE_ANSWER AW_SWIFT(answer) = 2,
  AW_TYPE_HELLO_HELPER AW_SWIFT(helloHelper) = 17,
  AW_TYPE_PROMPT_HIDDEN AW_SWIFT(promptHidden) = 18,
  AW_TYPE_PROMPT_VISIBLE AW_SWIFT(promptVisible) = 19,
  AW_TYPE_INFO AW_SWIFT(info) = 20,
  AW_TYPE_ERROR AW_SWIFT(error) = 21,
  AW_TYPE_DELAY AW_SWIFT(delay) = 22,
  AW_TYPE_RESULT AW_SWIFT(result) = 23,
} aw_type;

/// The helper's verdict.
typedef enum AW_ENUM aw_status {
  AW_STATUS_AUTHENTICATED AW_SWIFT(authenticated) = 1,           // a password only if hidden_answered
  AW_STATUS_REFUSED AW_SWIFT(refused) = 2,                       // wrong password, wrong finger
  AW_STATUS_UNAVAILABLE AW_SWIFT(unavailable) = 3,               // could not be verified here; never "wrong"
  AW_STATUS_ACCOUNT_REFUSED AW_SWIFT(accountRefused) = 4,        // the account may not be used
  AW_STATUS_CONVERSATION_ENDED AW_SWIFT(conversationEnded) = 5,  // a side broke the rules
  AW_STATUS_MAXTRIES AW_SWIFT(maxtries) = 6,                     // a module counted its tries and has had enough
} aw_status;

/// Why, where the verdict is UNAVAILABLE or ACCOUNT_REFUSED; NONE with every other verdict.
typedef enum AW_ENUM aw_reason {
  AW_REASON_NONE AW_SWIFT(noReason) = 0,
  // with UNAVAILABLE
  AW_REASON_VERSION_MISMATCH AW_SWIFT(versionMismatch) = 1,  // app and helper are of different versions
  AW_REASON_ROOT AW_SWIFT(root) = 2,                         // started by root, whom there is nothing to ask
  AW_REASON_NOT_SELF AW_SWIFT(notSelf) = 3,                  // real, effective and saved user differ
  AW_REASON_NO_USER AW_SWIFT(noUser) = 4,                    // the user has no entry in the user database
  AW_REASON_SERVICE_UNKNOWN AW_SWIFT(serviceUnknown) = 5,    // the app named a service that is not ours
  AW_REASON_SERVICE_MISSING AW_SWIFT(serviceMissing) = 6,    // no PAM file: PAM would use "other"
  AW_REASON_SERVICE_ASKS AW_SWIFT(serviceAsks) = 7,          // the fingerprint service has asked for text
  AW_REASON_NO_NEW_PRIVS AW_SWIFT(noNewPrivs) = 8,           // no_new_privs keeps PAM from the password
  AW_REASON_AUTHINFO_UNAVAIL AW_SWIFT(authinfoUnavail) = 9,  // PAM code 9 or 8: reader or passwords out of reach
  AW_REASON_USER_UNKNOWN AW_SWIFT(userUnknown) = 10,         // PAM code 10: no module knows the user
  AW_REASON_USER_CHANGED AW_SWIFT(userChanged) = 11,         // a module put another user in place of this one
  AW_REASON_PAM_START AW_SWIFT(pamStart) = 12,               // PAM did not start: its configuration cannot be read
  AW_REASON_PAM_ERROR AW_SWIFT(pamError) = 13,               // any other PAM code: a module is missing or broken
  // with ACCOUNT_REFUSED
  AW_REASON_ACCOUNT_EXPIRED AW_SWIFT(accountExpired) = 32,   // PAM code 13
  AW_REASON_ACCOUNT_DENIED AW_SWIFT(accountDenied) = 33,     // every other refusal of the account phase
} aw_reason;

/// The last message of the helper.
typedef struct aw_result {
  aw_status status;
  aw_reason reason;
  bool new_password_required;  // AUTHENTICATED only: the password has to be changed soon (account code 12)
  bool account_unchecked;      // AUTHENTICATED only: the account could not be checked (account code 9)
  bool hidden_answered;        // a hidden prompt was answered: without it, success is not a password
  int32_t pam_code;            // of pam_authenticate, or AW_NOT_ASKED
  int32_t account_code;        // of pam_acct_mgmt, or AW_NOT_ASKED
} aw_result;

/// A message taken apart. Which members count follows from the type; the others are zero.
///
/// `bytes` and `service` point into the packet that was decoded, are not terminated, and live as long as it does.
typedef struct aw_packet {
  aw_type type;
  const uint8_t *bytes;    // ANSWER, PROMPT_*, INFO, ERROR: the bytes; HELLO_*: the version
  size_t count;
  const uint8_t *service;  // HELLO_APP: the service
  size_t service_count;
  uint64_t delay_us;       // DELAY: microseconds, at most UINT32_MAX as PAM cannot ask for more
  aw_result result;        // RESULT
} aw_packet;

/// Writes the app's first message and returns its size, or 0 where a name is not 1 to 64 visible ASCII characters.
///
/// `out` must hold AW_PACKET_MAX bytes, here and in every other encoder.
size_t aw_encode_hello_app(const char *version, const char *service, uint8_t *out);

/// Writes the helper's first message and returns its size, or 0 where the version is no name of that kind.
size_t aw_encode_hello_helper(const char *version, uint8_t *out);

/// Writes an answer and returns its size, or 0 where it is empty, longer than 511 bytes, or has a NUL in it.
///
/// The password is then in `out` too: wipe it after sending.
size_t aw_encode_answer(const void *bytes, size_t count, uint8_t *out);

/// Writes a text (PROMPT_*, INFO, ERROR) and returns its size, or 0 where the type bears none or there is a NUL in it.
///
/// What is beyond 4096 bytes is cut off.
size_t aw_encode_text(aw_type type, const void *bytes, size_t count, uint8_t *out);

/// Writes a delay in microseconds and returns its size, or 0 where it is above UINT32_MAX.
size_t aw_encode_delay(uint64_t microseconds, uint8_t *out);

/// Writes a verdict and returns its size, or 0 where it contradicts itself (a reason where there can be none, say).
size_t aw_encode_result(const aw_result *result, uint8_t *out);

/// Takes the packet apart that came from the side `from`; false where it is malformed, `out` then being all zero.
///
/// Zero is no type: look at `out` only where this returns true.
bool aw_decode(const uint8_t *bytes, size_t count, aw_side from, aw_packet *out);

/// What aw_receive found.
typedef enum AW_ENUM aw_received {
  AW_RECEIVED_PACKET AW_SWIFT(packet) = 0,
  AW_RECEIVED_NOTHING AW_SWIFT(nothing) = 1,      // nothing there yet
  AW_RECEIVED_END AW_SWIFT(end) = 2,              // the other side has closed
  AW_RECEIVED_MALFORMED AW_SWIFT(malformed) = 3,  // end the conversation
  AW_RECEIVED_FAILED AW_SWIFT(failed) = 4,        // errno says why
} aw_received;

/// Makes the channel; both ends are closed on exec, the app's does not block. False: errno says why.
bool aw_channel(int *app_end, int *helper_end);

/// Sends one encoded packet, without a signal where the other side has gone. False: errno says why.
bool aw_send(int channel, const uint8_t *packet, size_t count);

/// Takes one packet that came from the side `from`, without waiting. `buffer` must hold AW_PACKET_MAX bytes.
///
/// `out` points into `buffer`. A packet that bears an answer is in `buffer` until it is wiped.
aw_received aw_receive(int channel, aw_side from, uint8_t *buffer, aw_packet *out);

/// Whether PAM finds a file of ours for the service: where it does not, it silently takes the one named "other".
///
/// Looks where Linux-PAM does: /etc, then the folders for files of the distribution's.
bool aw_has_service_file(const char *service);

/// Whether the password of this user can only be looked up by a program that runs with more rights than we have, and
/// this process may not start one (`no_new_privs`, as in a sandbox).
bool aw_is_barred(const struct passwd *user);

/// Overwrites memory in a way that the compiler does not leave out.
void aw_wipe(void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
