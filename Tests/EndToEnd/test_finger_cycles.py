"""Locked and opened by a finger again and again: nothing is left behind, and nothing is there twice.

`CYCLES=1000 make test ONLY=end-to-end:test_finger_cycles` for a longer run.
"""

import os
import time
import unittest

from fingers import FingerTest, needs_reader, needs_user

CYCLES = int(os.environ.get("CYCLES", "200"))
SETTLED = 10
# How many cycles the least is taken of: what a moment needs for a frame is given back.
SPAN = CYCLES // 5
OPEN_TITLE = "Todos"


@needs_user
@needs_reader
class CyclesTest(FingerTest):
    def test_nothing_is_left_behind(self):
        app = self.start()
        # Nobody reads the screen: what is measured is the app, and what is waited for is what fprintd and X tell.
        self.world.desk.end()
        self.fp.wait_waiting()
        self.bus.begin()
        began = time.monotonic()
        memory = []
        for cycle in range(1, CYCLES + 1):
            self.fp.send("SCAN mine")
            app.until(lambda: OPEN_TITLE in app.title, "the app to open")
            app.until(lambda: not app.children(), "no helper while it is open")
            memory.append(app.memory_kib()[1])
            # What was told up to now is of the finger before.
            self.fp.signals
            app.key("ctrl+l")
            self.fp.client.wait_for(self.is_asked, f"a finger asked for, in cycle {cycle}")
            self.assertLessEqual(len(app.children()), 2)
        seconds = time.monotonic() - began
        self.bus.hear()
        early, late = min(memory[SETTLED:SETTLED + SPAN]), min(memory[-SPAN:])
        growth = late / early
        print(f"    {CYCLES} cycles in {seconds:.1f} s, {self.bus.begun} helpers; {early} and {late} KiB of its own, "
              f"{growth:.3f}", flush=True)
        # One for each lock; where the reader was not free yet, one more after a pause, and the look at why.
        self.assertGreaterEqual(self.bus.begun, CYCLES)
        self.assertLessEqual(self.bus.begun, CYCLES * 1.2 + 2)
        self.assertLessEqual(self.bus.most, 1)
        self.assertLess(growth, 1.03)
        app.end()
        self.fp.wait_released()

    def is_asked(self):
        return any(name == "PropertiesChanged" and values[1].get("finger-needed") for name, values in
                   self.fp.client.signals)


if __name__ == "__main__":
    unittest.main()
