#pragma once

#include "CrashRecord.h"

/// The name of what is on the screen; empty before there is anything. Safe in signal handlers.
const char *cr_gate(void);
