# SPDX-License-Identifier: MIT
"""Long work in steps: progress, cancel, and one report at the end. Without a window it runs through."""
import time

import bpy

from . import notes


#: The work that is under way in a window, or None; the panel shows it.
running = None


class Steps:
    """Work that is done step by step. `work` is a generator function that yields a text before each step."""

    def __init__(self, total, work):
        self.total, self.done, self.label = max(total, 1), 0, ""
        self.failures = []
        self.is_over = False
        self._work = work(self)

    def advance(self, seconds):
        """Works for some time. Returns True when all is done."""
        end = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < end:
            try:
                self.label = next(self._work)
                self.done += 1
            except StopIteration:
                self.is_over = True
        return self.is_over

    @property
    def share(self):
        """How much is done, 0 to 1."""
        return min(self.done / self.total, 1.0)

    @property
    def text(self):
        return f"{self.done} of {self.total}, {self.label}"

    def cancel(self):
        """Stops between two steps. What is done stays."""
        self._work.close()
        self.is_over = True


class StepsOperator:
    """Base of operators that work in steps. They implement `steps(context)`, which returns `Steps`, and
    `finish(context)`, which reports."""

    _steps = None
    _timer = None

    def execute(self, context):
        try:
            self._steps = self.steps(context)
        except Exception as error:  # shown in Blender's report box, in words
            self.report({"ERROR"}, notes.words(error))
            return {"CANCELLED"}
        if bpy.app.background or context.window is None or self._steps.total < 4:
            while not self._steps.advance(60.0):
                pass
            return self._finished(context)
        _show(self._steps)
        manager = context.window_manager
        manager.progress_begin(0, self._steps.total)
        self._timer = manager.event_timer_add(0.02, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self._steps.cancel()
            self._end(context)
            self.report({"WARNING"}, f"Stopped after {self._steps.done} of {self._steps.total}; what is done stays")
            return {"FINISHED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        is_over = self._steps.advance(0.1)
        context.window_manager.progress_update(self._steps.done)
        context.workspace.status_text_set(f"Marrow: {self._steps.text} (Esc stops)")
        _redraw(context)
        if not is_over:
            return {"RUNNING_MODAL"}
        self._end(context)
        return self._finished(context)

    def _end(self, context):
        context.window_manager.progress_end()
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        _show(None)
        _redraw(context)

    def _finished(self, context):
        for failure in self._steps.failures[:5]:
            self.report({"ERROR"}, failure)
        if len(self._steps.failures) > 5:
            self.report({"ERROR"}, f"... and {len(self._steps.failures) - 5} more")
        is_good = self.finish(context)
        return {"FINISHED"} if is_good else {"CANCELLED"}


def _show(steps):
    global running
    running = steps


def _redraw(context):
    """Draws the sidebars again, which show what is running."""
    for area in context.screen.areas if context.screen else ():
        if area.type == "VIEW_3D":
            area.tag_redraw()


def register():
    pass


def unregister():
    pass
