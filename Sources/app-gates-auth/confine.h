// Cutting the helper off from everything that it does not need.
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>

/// No core dump, no ptrace and no /proc/PID/mem for other processes of the user. Comes before anything else.
bool become_unreadable(void);

/// Whether the descriptor is a socket of the kind that App Gates hands over.
bool is_channel(int descriptor);

/// Drops the descriptors (0 to 2 become /dev/null, 3 stays), the environment but for the language, and the folder.
bool shed_surroundings(void);

/// Ties our life to the app's: false where it is gone already, or where the channel is not its own.
bool die_with_parent(int channel);

#endif
