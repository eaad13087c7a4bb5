"""The part of the walk where something has gone wrong: reports, the page after a crash, safe mode."""

import signal

# Nobody listens there: what is sent waits.
REPORTS = "http://public@127.0.0.1:9/1"
CRASHES = 3


def troubles(walk):
    """Goes on with a walk whose app is closed; leaves it closed."""
    walk.world.secrets(SENTRY_DSN=REPORTS)
    opened(walk)
    feedback(walk)
    reports(walk)
    crashes(walk)
    safe_mode(walk)
    walk.close()


def opened(walk):
    walk.start()
    if walk.world.user:
        walk.unlock()
    walk.app.wait_for("text", "Add a todo")


def feedback(walk):
    walk.step = "report form"
    walk.app.key("alt+2")
    walk.app.wait_for("label", "Account Security")
    walk.scroll_to("list item", "About App Gates")
    walk.app.click("list item", "Send Feedback")
    walk.app.wait_for("text", "Your feedback", states=("focused",))
    walk.app.type("The list could be sorted by date.")
    walk.picture("report-form", "feedback: what is sent can be read before it goes")
    walk.app.click("button", "Send")
    walk.app.wait_for("label", "Thank You")
    walk.picture("report-thanks", "the report waits, and goes when the server can be reached")
    walk.app.click("button", "OK")


def reports(walk):
    walk.step = "reports"
    walk.scroll_to("list item", "About App Gates")
    walk.app.click("list item", "Reports")
    walk.app.wait_for("button", "Delete Report")
    walk.picture("reports", "what was sent, what has become of it, and how it is taken back")
    walk.app.key("Escape")
    walk.app.wait_for("list item", "Reports")


def crashes(walk):
    for number in range(1, CRASHES + 1):
        walk.step = f"crash {number}"
        walk.app.signal(signal.SIGSEGV)
        walk.app.wait()
        walk.start()
        walk.app.wait_for("label", "App Gates closed unexpectedly")
        if number == 1:
            walk.picture("crash", "the start after a crash: Continue, a report, what is known of it")
        if number < CRASHES:
            walk.app.click("button", "Continue")
            if walk.world.user:
                walk.unlock()
            walk.app.wait_for("text", "Add a todo")


def safe_mode(walk):
    walk.step = "safe mode"
    walk.picture("crash-again", "the third crash in a row: the app starts in safe mode")
    walk.app.click("button", "Continue")
    if walk.world.user:
        walk.unlock()
    walk.app.wait_for("label", "Safe Mode")
    walk.picture("safe-mode", "what is off, and what can be done: leave, the list, export, reset")
