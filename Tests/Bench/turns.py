"""The longest turn of the main loop while something verifies: how long the program leaves a question unanswered."""

import os
import select
import subprocess
import time

from Rig import World, until, why_no_user
from Rig.children import Child
from Rig.fprintd import why_not as why_no_reader

from figures import come_back, compile_c, compile_module, say

GOAL = 16
PROGRAMS = ["io.github.appgates.AppGates", "/io/github/appgates/AppGates", "io.github.appgates.Bare",
            "/io/github/appgates/Bare"]


class Questions:
    """Questions each millisecond while the block runs; then `longest` and `bare`, in ms beyond the usual answer."""

    def __init__(self, world, tool):
        self.child = Child(world.command([tool, *PROGRAMS]), world.folder / "turns.log", world.env, cwd="/",
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        world.started.append(self.child)

    def __enter__(self):
        self.child.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.child.process.stdin.close()
        lines = [line.split() for line in self.child.process.stdout]
        self.child.end()
        self.longest, self.bare = (float(most) - float(usual) for _, usual, most in lines)
        self.answers = int(lines[0][0])


def answer(password=None, then=0.0):
    """Types an answer, waits for the helper's end, which is the verdict, and then some seconds more.

    The accessible tree is not looked at meanwhile: the program would have to answer that too.
    """
    def act(app):
        helper, = app.children()
        descriptor = os.pidfd_open(helper)
        app.type(password or app.world.user.password)
        app.key("Return")
        select.select([descriptor], [], [], 10)
        os.close(descriptor)
        time.sleep(then)
    return act


def wait(seconds):
    """Nothing is answered."""
    return lambda app: time.sleep(seconds)


def case(name, tools, act, ready=None, service=None, frozen=False):
    with World() as world:
        come_back(world, ["Buy milk", "Sell milk"], lock=True)
        if service:
            world.etc.service("app-gates", service)
        if frozen:
            reader = world.fingerprints()
            reader.enroll()
            reader.freeze()
        bare = world.start([tools["bare"]], "bare")
        app = world.app()
        app.activate()
        until(app.children, "a helper")
        if ready:
            app.wait_for("password text", states=("focused",))
            app.wait_for("label", ready)
        with Questions(world, tools["turns"]) as questions:
            act(app)
        bare.end()
        say(f"Main loop, {name}: the longest turn {questions.longest:.1f} ms, goal at most {GOAL} ms  (a bare window at "
            f"the same time {questions.bare:.1f} ms; {questions.answers} questions)")


def measure(folder):
    if why_no_user():
        return say(f"The turns of the main loop were not measured: {why_no_user()}")
    tools = {"turns": compile_c("turns", folder, "gio-2.0"), "bare": compile_c("bare", folder, "libadwaita-1")}
    module = compile_module(folder)
    case("a wrong password and its delay", tools, answer("wrong", then=2), "Password")
    case("the right one", tools, answer(), "Password")
    case("a module that hangs", tools, wait(3), service=f"auth required {module} hang")
    if why_no_reader():
        return say(f"Main loop, a frozen fprintd: {why_no_reader()}")
    case("a frozen fprintd", tools, wait(3), frozen=True)
