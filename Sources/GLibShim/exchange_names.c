// renameat2 is behind _GNU_SOURCE, which Swift's view of the C library does not define.
#define _GNU_SOURCE
#include "exchange_names.h"

#include <fcntl.h>
#include <stdio.h>

int gs_exchange_names(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
