#pragma once

/// Swaps two names of one file system in a single step, whatever they stand for. Returns 0, or -1 with errno.
///
/// EINVAL or ENOSYS where the file system or the kernel cannot. Any thread.
int gs_exchange_names(const char *one, const char *other);
