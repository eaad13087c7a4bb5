#pragma once

#include <stddef.h>
#include <sys/types.h>

/// Starts the PAM helper from an open descriptor and returns its process id, or -1 with an errno value in `*error_out`.
///
/// `exec_fd`: the helper's binary, opened with O_RDONLY | O_CLOEXEC when the app started, so that an upgrade cannot
/// mix versions. `channel_fd`: the helper's end of the channel; it becomes descriptor 3 there, 0 to 2 become
/// /dev/null, and no signal is blocked or ignored. `envp`: the whole environment, closed by NULL. Both descriptors
/// stay open here: close `channel_fd` afterwards, or the end of the helper is not seen.
///
/// The process's first thread only: the helper asks the kernel to be ended with its parent, and what the kernel takes
/// for the parent is the thread that started it. Started from a thread of a pool, it would die when that one retires.
pid_t gs_spawn_helper(int exec_fd, int channel_fd, const char *const *envp, int *error_out);

/// Starts the program that sends one request, and returns its process id, or -1.
///
/// `exec_fd` and `envp`: as above. `request`: what it reads on its standard input, copied. `channel_out`: our end of the
/// pair of sockets whose other end is its standard output; close it afterwards. It inherits nothing else. Never blocks.
/// The process's first thread only, for the same reason.
pid_t gs_spawn_web(int exec_fd, const void *request, size_t count, const char *const *envp, int *channel_out);
