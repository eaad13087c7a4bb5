#pragma once

/// Lets GLib's main loop drain libdispatch's main queue, on which Swift's MainActor runs its jobs.
///
/// Call once, on the process's first thread, before the loop runs. The two libdispatch symbols behind it are
/// private to libdispatch and CoreFoundation; they stay in this one file, and a start-up test covers them.
/// Returns 0, or -1 where libdispatch gives no descriptor.
int gs_main_queue_attach(void);
