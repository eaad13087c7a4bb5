#include "query.h"

#include <glib.h>
#include <string.h>

static bool is_same(const char *one, const char *other) {
  size_t count = strlen(one);
  if (count != strlen(other)) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < count; i++) difference |= (unsigned char)(one[i] ^ other[i]);
  return difference == 0;
}

bool query_has_state(const char *query, const char *state) {
  char **parts = g_strsplit(query, "&", -1);
  int found = 0, right = 0;
  for (char **part = parts; *part != NULL; part++) {
    if (!g_str_has_prefix(*part, "state=")) continue;
    found++;
    char *value = g_uri_unescape_string(*part + strlen("state="), NULL);
    if (value != NULL && is_same(value, state)) right++;
    g_free(value);
  }
  g_strfreev(parts);
  return found == 1 && right == 1;
}

bool query_has(const char *query, const char *name) {
  char **parts = g_strsplit(query, "&", -1);
  bool has = false;
  for (char **part = parts; *part != NULL; part++) {
    size_t count = strlen(name);
    if (strncmp(*part, name, count) == 0 && (*part)[count] == '=') has = true;
  }
  g_strfreev(parts);
  return has;
}
