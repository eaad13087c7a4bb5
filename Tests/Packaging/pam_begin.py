"""pam_begin.py SERVICE: prints what pam_start answers, and pam_authenticate after it. Nobody answers its prompts."""

import ctypes
import sys

CONV_ERR = 19
Conversation = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Conv(ctypes.Structure):
    _fields_ = [("conv", Conversation), ("data", ctypes.c_void_p)]


pam = ctypes.CDLL("libpam.so.0")
conv = Conv(Conversation(lambda *_: CONV_ERR), None)
handle = ctypes.c_void_p()
started = pam.pam_start(sys.argv[1].encode(), b"root", ctypes.byref(conv), ctypes.byref(handle))
answer = pam.pam_authenticate(handle, 0) if started == 0 else -1
print(started, answer)
