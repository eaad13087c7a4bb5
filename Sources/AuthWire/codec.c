// Messages to bytes and back. See AuthWire.h for the layout.
#include "AuthWire.h"

#include <string.h>

_Static_assert(AW_PACKET_MAX == AW_HEADER_SIZE + AW_PAYLOAD_MAX, "a packet is its header and its payload");

enum { DELAY_SIZE = 8, RESULT_SIZE = 11 };
enum { NEW_PASSWORD_REQUIRED = 1, ACCOUNT_UNCHECKED = 2, HIDDEN_ANSWERED = 4, ALL_FLAGS = 7 };

static void put(uint8_t *out, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; i++) out[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *in, size_t width) {
  uint64_t value = 0;
  for (size_t i = 0; i < width; i++) value |= (uint64_t)in[i] << (8 * i);
  return value;
}

static size_t finish(aw_type type, size_t payload, uint8_t *out) {
  put(out, (uint64_t)type, 2);
  put(out + 2, payload, 2);
  return AW_HEADER_SIZE + payload;
}

/// Versions and service names: visible ASCII, so that they can be compared and shown without care.
static bool is_name(const uint8_t *bytes, size_t count) {
  if (count == 0 || count > AW_NAME_MAX) return false;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] <= ' ' || bytes[i] > '~') return false;
  }
  return true;
}

static bool has_nul(const void *bytes, size_t count) { return count > 0 && memchr(bytes, 0, count) != NULL; }

static bool is_answer(const void *bytes, size_t count) {
  return count > 0 && count <= AW_ANSWER_MAX && !has_nul(bytes, count);
}

static bool bears_text(aw_type type) {
  return type == AW_TYPE_PROMPT_HIDDEN || type == AW_TYPE_PROMPT_VISIBLE || type == AW_TYPE_INFO ||
         type == AW_TYPE_ERROR;
}

/// A verdict that contradicts itself is no verdict: better none than one that two readers take in two ways.
static bool is_sound(const aw_result *r) {
  bool noted = r->new_password_required || r->account_unchecked;
  bool for_unavailable = r->reason >= AW_REASON_VERSION_MISMATCH && r->reason <= AW_REASON_PAM_ERROR;
  bool for_account = r->reason == AW_REASON_ACCOUNT_EXPIRED || r->reason == AW_REASON_ACCOUNT_DENIED;
  if (r->pam_code < AW_NOT_ASKED || r->pam_code > 255) return false;
  if (r->account_code < AW_NOT_ASKED || r->account_code > 255) return false;
  if (r->pam_code != 0 && r->account_code != AW_NOT_ASKED) return false;  // the account comes after success only
  switch (r->status) {
  case AW_STATUS_AUTHENTICATED:
    if (r->pam_code != 0 || r->reason != AW_REASON_NONE) return false;
    if (r->new_password_required && r->account_unchecked) return false;
    return noted == (r->account_code > 0);
  case AW_STATUS_ACCOUNT_REFUSED: return for_account && !noted && (r->pam_code > 0 || r->account_code > 0);
  case AW_STATUS_UNAVAILABLE: return for_unavailable && !noted;
  case AW_STATUS_REFUSED:
  case AW_STATUS_MAXTRIES: return r->reason == AW_REASON_NONE && !noted && r->pam_code > 0;
  case AW_STATUS_CONVERSATION_ENDED: return r->reason == AW_REASON_NONE && !noted;
  }
  return false;
}

size_t aw_encode_hello_app(const char *version, const char *service, uint8_t *out) {
  size_t v = strlen(version), s = strlen(service);
  if (!is_name((const uint8_t *)version, v) || !is_name((const uint8_t *)service, s)) return 0;
  out[AW_HEADER_SIZE] = (uint8_t)v;
  memcpy(out + AW_HEADER_SIZE + 1, version, v);
  memcpy(out + AW_HEADER_SIZE + 1 + v, service, s);
  return finish(AW_TYPE_HELLO_APP, 1 + v + s, out);
}

size_t aw_encode_hello_helper(const char *version, uint8_t *out) {
  size_t count = strlen(version);
  if (!is_name((const uint8_t *)version, count)) return 0;
  memcpy(out + AW_HEADER_SIZE, version, count);
  return finish(AW_TYPE_HELLO_HELPER, count, out);
}

size_t aw_encode_answer(const void *bytes, size_t count, uint8_t *out) {
  if (!is_answer(bytes, count)) return 0;
  memcpy(out + AW_HEADER_SIZE, bytes, count);
  return finish(AW_TYPE_ANSWER, count, out);
}

size_t aw_encode_text(aw_type type, const void *bytes, size_t count, uint8_t *out) {
  if (count > AW_PAYLOAD_MAX) count = AW_PAYLOAD_MAX;
  if (!bears_text(type) || has_nul(bytes, count)) return 0;
  if (count > 0) memcpy(out + AW_HEADER_SIZE, bytes, count);
  return finish(type, count, out);
}

size_t aw_encode_delay(uint64_t microseconds, uint8_t *out) {
  if (microseconds > UINT32_MAX) return 0;
  put(out + AW_HEADER_SIZE, microseconds, DELAY_SIZE);
  return finish(AW_TYPE_DELAY, DELAY_SIZE, out);
}

size_t aw_encode_result(const aw_result *result, uint8_t *out) {
  if (!is_sound(result)) return 0;
  uint8_t *p = out + AW_HEADER_SIZE;
  p[0] = (uint8_t)result->status;
  p[1] = (uint8_t)result->reason;
  p[2] = (uint8_t)((result->new_password_required ? NEW_PASSWORD_REQUIRED : 0) |
                   (result->account_unchecked ? ACCOUNT_UNCHECKED : 0) |
                   (result->hidden_answered ? HIDDEN_ANSWERED : 0));
  put(p + 3, (uint32_t)result->pam_code, 4);
  put(p + 7, (uint32_t)result->account_code, 4);
  return finish(AW_TYPE_RESULT, RESULT_SIZE, out);
}

static bool decode_hello_app(const uint8_t *p, size_t count, aw_packet *out) {
  if (count < 1 || p[0] > count - 1) return false;
  out->bytes = p + 1;
  out->count = p[0];
  out->service = p + 1 + p[0];
  out->service_count = count - 1 - p[0];
  return is_name(out->bytes, out->count) && is_name(out->service, out->service_count);
}

static bool decode_result(const uint8_t *p, size_t count, aw_result *out) {
  if (count != RESULT_SIZE || p[2] > ALL_FLAGS) return false;
  out->status = (aw_status)p[0];
  out->reason = (aw_reason)p[1];
  out->new_password_required = (p[2] & NEW_PASSWORD_REQUIRED) != 0;
  out->account_unchecked = (p[2] & ACCOUNT_UNCHECKED) != 0;
  out->hidden_answered = (p[2] & HIDDEN_ANSWERED) != 0;
  out->pam_code = (int32_t)(uint32_t)get(p + 3, 4);
  out->account_code = (int32_t)(uint32_t)get(p + 7, 4);
  return is_sound(out);
}

static bool decode_payload(unsigned type, const uint8_t *p, size_t count, aw_side from, aw_packet *out) {
  out->bytes = p;
  out->count = count;
  if (from == AW_SIDE_APP) {
    switch (type) {
    case AW_TYPE_HELLO_APP: return decode_hello_app(p, count, out);
    case AW_TYPE_ANSWER: return is_answer(p, count);
    default: return false;
    }
  }
  switch (type) {
  case AW_TYPE_HELLO_HELPER: return is_name(p, count);
  case AW_TYPE_PROMPT_HIDDEN:
  case AW_TYPE_PROMPT_VISIBLE:
  case AW_TYPE_INFO:
  case AW_TYPE_ERROR: return !has_nul(p, count);
  case AW_TYPE_DELAY:
    if (count != DELAY_SIZE) return false;
    out->bytes = NULL;
    out->count = 0;
    out->delay_us = get(p, DELAY_SIZE);
    return out->delay_us <= UINT32_MAX;
  case AW_TYPE_RESULT:
    out->bytes = NULL;
    out->count = 0;
    return decode_result(p, count, &out->result);
  default: return false;
  }
}

bool aw_decode(const uint8_t *bytes, size_t count, aw_side from, aw_packet *out) {
  memset(out, 0, sizeof *out);
  if (count < AW_HEADER_SIZE || count > AW_PACKET_MAX) return false;
  unsigned type = (unsigned)get(bytes, 2);
  size_t payload = (size_t)get(bytes + 2, 2);
  if (payload != count - AW_HEADER_SIZE) return false;
  if (decode_payload(type, bytes + AW_HEADER_SIZE, payload, from, out)) {
    out->type = (aw_type)type;
    return true;
  }
  memset(out, 0, sizeof *out);
  return false;
}
