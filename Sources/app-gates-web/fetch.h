#pragma once

#include "wire.h"

/// Sends the request, says what came of it, and ends the process.
_Noreturn void fetch(const web_request *request);
