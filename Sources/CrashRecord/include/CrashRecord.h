#pragma once

#include <stddef.h>

// What a run leaves behind of itself. Two files: the marker of the run, which is there while it lasts, and a record,
// which is made by the run that crashes. Both are for the next run to read.

/// How much room the marker has for how a run ended, and for the gate on the screen, in bytes.
#define CR_END_ROOM 15
#define CR_GATE_ROOM 31

/// Lets a crash leave a record: a signal of a fault, an abort, or a trap of Swift's. Returns 0, or -1 with errno.
///
/// `record`: the path of the file to make then, in a folder that is there; nothing is made before. `version`: the
/// program's version. Both are copied. The signal's own action follows the record, so that the desktop sees the crash
/// as well. Once, on the process's first thread, which also gets a stack to report its own overflow on.
int cr_install(const char *record, const char *version);

/// The id of the running build, as the record has it; empty before `cr_install` and where the build has none.
const char *cr_build(void);

/// Makes the marker of this run, readable by the user alone, and holds it open. Returns 0, or -1 with errno.
///
/// EEXIST where there is one. The text follows the two slots `end=` and `gate=`. A marker that could not be written
/// whole is removed. From then on a call of exit() that `cr_end_run` does not precede is noted as `exit`.
int cr_begin_run(const char *path, const char *text, size_t length);

/// Writes into the marker how the run is ending, as far as that is known: `logout`, `display`. Safe in signal handlers.
void cr_note_end(const char *word);

/// Keeps the name of what is on the screen for a record, and writes it into the marker. One thread only.
void cr_note_gate(const char *name);

/// The run ends as it should: the marker goes.
void cr_end_run(void);

/// The run ends on purpose, and the next is to know how: the marker stays, with this word in it.
void cr_leave_run(const char *word);
