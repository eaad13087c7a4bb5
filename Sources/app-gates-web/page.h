#pragma once

#include "listen.h"

/// Which page.
typedef enum { PAGE_DONE, PAGE_REFUSED, PAGE_FOREIGN, PAGE_MISSING } page_kind;

/// A whole HTTP answer with a page of the request's words, escaped: no script, nothing loaded, kept nowhere.
GString *page_answer(const listen_request *request, page_kind kind, const char *status);
