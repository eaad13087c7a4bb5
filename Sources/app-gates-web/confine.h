#pragma once

#include <stdbool.h>

/// Makes sure that no other program of the user reads this one's memory, and that no core file has it: there may be
/// tokens in a request. False where that fails.
bool become_unreadable(void);

/// Whether a descriptor is one end of a pair of stream sockets, as the app makes it; by hand there is none.
bool is_channel(int descriptor);

/// Has the kernel end this process together with the one that made the channel, which must be our parent, and limits
/// memory, so that a server cannot fill the computer's. False where the parent has gone already.
bool die_with_parent(int channel);
