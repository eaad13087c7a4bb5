#define _GNU_SOURCE
#include "verify.h"

#include "conversation.h"

#include <pwd.h>
#include <security/pam_appl.h>
#include <string.h>
#include <unistd.h>

static pam_handle_t *handle = NULL;
static int last_code = PAM_SUCCESS;
static conversation talk;

aw_result unavailable(aw_reason reason) {
  return (aw_result){.status = AW_STATUS_UNAVAILABLE,
                     .reason = reason,
                     .pam_code = AW_NOT_ASKED,
                     .account_code = AW_NOT_ASKED};
}

static bool is_still(const char *name) {
  const void *item = NULL;
  return pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS && item != NULL && strcmp(item, name) == 0;
}

/// What a failed pam_authenticate means. `barred`: see aw_is_barred.
static void judge_failure(aw_result *result, int code, bool barred) {
  result->status = AW_STATUS_UNAVAILABLE;
  switch (code) {
  case PAM_AUTH_ERR:
  case PAM_PERM_DENIED:
    // A stack that closes with pam_deny, as Debian's does, says "wrong" also where it could not look.
    if (barred) {
      result->reason = AW_REASON_NO_NEW_PRIVS;
    } else {
      result->status = AW_STATUS_REFUSED;
    }
    break;
  case PAM_MAXTRIES: result->status = AW_STATUS_MAXTRIES; break;
  case PAM_CRED_INSUFFICIENT:
  case PAM_AUTHINFO_UNAVAIL: result->reason = barred ? AW_REASON_NO_NEW_PRIVS : AW_REASON_AUTHINFO_UNAVAIL; break;
  case PAM_USER_UNKNOWN: result->reason = AW_REASON_USER_UNKNOWN; break;
  case PAM_ACCT_EXPIRED:
    result->status = AW_STATUS_ACCOUNT_REFUSED;
    result->reason = AW_REASON_ACCOUNT_EXPIRED;
    break;
  case PAM_CONV_ERR: result->status = AW_STATUS_CONVERSATION_ENDED; break;
  default: result->reason = AW_REASON_PAM_ERROR;
  }
}

/// May the account be used? Only asked after success: pam_acct_mgmt says 0 after a failure too.
static void judge_account(aw_result *result, int code) {
  result->account_code = code;
  result->status = AW_STATUS_AUTHENTICATED;
  switch (code) {
  case PAM_SUCCESS: break;
  case PAM_NEW_AUTHTOK_REQD: result->new_password_required = true; break;
  case PAM_AUTHINFO_UNAVAIL: result->account_unchecked = true; break;
  default:
    result->status = AW_STATUS_ACCOUNT_REFUSED;
    result->reason = code == PAM_ACCT_EXPIRED ? AW_REASON_ACCOUNT_EXPIRED : AW_REASON_ACCOUNT_DENIED;
  }
}

/// Puts another verdict in place of PAM's where the conversation went wrong or a module changed the user.
static bool is_spoilt(aw_result *result, bool same_user) {
  result->hidden_answered = talk.hidden_answered;
  if (!talk.asked_in_vain && !talk.ended && same_user) return false;
  result->status = AW_STATUS_UNAVAILABLE;
  result->new_password_required = result->account_unchecked = false;
  if (talk.asked_in_vain) {
    result->reason = AW_REASON_SERVICE_ASKS;
  } else if (talk.ended) {
    result->status = AW_STATUS_CONVERSATION_ENDED;
    result->reason = AW_REASON_NONE;
  } else {
    result->reason = AW_REASON_USER_CHANGED;
  }
  return true;
}

static aw_result authenticate(const char *name, bool is_password, bool barred) {
  aw_result result = unavailable(AW_REASON_NONE);
  last_code = result.pam_code = pam_authenticate(handle, PAM_DISALLOW_NULL_AUTHTOK);
  // Another user's failure is a failure still; another user's success is none.
  if (is_spoilt(&result, result.pam_code != PAM_SUCCESS || is_still(name))) return result;
  if (result.pam_code != PAM_SUCCESS) {
    judge_failure(&result, result.pam_code, barred);
    return result;
  }
  result.status = AW_STATUS_AUTHENTICATED;
  if (!is_password) return result;  // the fingerprint service has no account line: PAM would ask the one of "other"
  bool answered = talk.hidden_answered;
  last_code = pam_acct_mgmt(handle, PAM_DISALLOW_NULL_AUTHTOK);
  judge_account(&result, last_code);
  is_spoilt(&result, is_still(name));
  result.hidden_answered = answered;  // what the account phase asks for is no password
  return result;
}

aw_result verify(const char *service) {
  uid_t real, effective, saved;
  if (getresuid(&real, &effective, &saved) != 0 || real != effective || real != saved) {
    return unavailable(AW_REASON_NOT_SELF);
  }
  if (real == 0) return unavailable(AW_REASON_ROOT);
  const struct passwd *user = getpwuid(real);
  // A copy, since modules look up users too, into the same memory.
  char *name = user == NULL ? NULL : strdup(user->pw_name);
  if (name == NULL) return unavailable(AW_REASON_NO_USER);
  if (!aw_has_service_file(service)) return unavailable(AW_REASON_SERVICE_MISSING);

  bool is_password = strcmp(service, AW_SERVICE_PASSWORD) == 0;
  bool barred = is_password && aw_is_barred(user);
  talk = (conversation){.may_prompt = is_password};
  struct pam_conv converser = {.conv = converse, .appdata_ptr = &talk};
  // With a function in its place, PAM does not sleep after a failure: the screen counts the time instead.
  union {
    void (*function)(int, unsigned, void *);
    const void *item;
  } delay = {.function = on_delay};
  if ((last_code = pam_start(service, name, &converser, &handle)) != PAM_SUCCESS ||
      (last_code = pam_set_item(handle, PAM_FAIL_DELAY, delay.item)) != PAM_SUCCESS) {
    return unavailable(AW_REASON_PAM_START);
  }
  return authenticate(name, is_password, barred);
}

void end_verification(void) {
  talk.ended = true;  // after the verdict nothing is said any more
  if (handle != NULL) pam_end(handle, last_code);
  handle = NULL;
}
