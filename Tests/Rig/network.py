"""A network of a test's own, with nothing in it but 127.0.0.1 and ::1: a program started there reaches nobody else."""

import ctypes
import fcntl
import os
import queue
import socket
import struct
import threading

CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def why_not():
    """Why there can be no such network here; nothing where there can."""
    if os.geteuid() != 0:
        return "needs root, to make a network of its own"
    try:
        with PrivateNetwork():
            return None
    except OSError as error:
        return f"needs a network namespace: {error.strerror}"


class PrivateNetwork:
    """A context manager. What `run` is given runs on a thread that lives in the network, and so does what it starts:
    listening sockets, and processes. The thread stays until the end, since the kernel ends a test's processes with the
    thread that started them."""

    def __init__(self):
        self.jobs, self.answers = queue.Queue(), queue.Queue()
        threading.Thread(target=self.serve, daemon=True).start()
        self.take()

    def run(self, body):
        """Runs a function there and returns what it does."""
        self.jobs.put(body)
        return self.take()

    def take(self):
        value, error = self.answers.get()
        if error is not None:
            raise error
        return value

    def serve(self):
        body = enter
        while body is not None:
            try:
                self.answers.put((body(), None))
            except BaseException as error:  # it is the caller's
                self.answers.put((None, error))
                if body is enter:
                    return
            body = self.jobs.get()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.jobs.put(None)


def enter():
    """Puts this thread, and no other, into a new network, and its loopback up."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        _, flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
