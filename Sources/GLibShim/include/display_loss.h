#pragma once

/// Calls `lost` when GDK says that the display server is gone; it ends the program at once after that.
///
/// GDK calls _exit(), so nothing of ours runs afterwards: the line that it logs before is the only sign. All lines go
/// where they go without this. Once, on the process's first thread, before there is a second; `lost` runs on any.
void gs_watch_display_loss(void (*lost)(void));
