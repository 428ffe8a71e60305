# SPDX-License-Identifier: MIT
"""The interface for real, in a window: a long import shows its progress, stops at Esc and keeps what is done; undo takes
an import and an edit back; the live preview follows a value; the file browser suggests a name.

    xvfb-run blender --factory-startup --enable-event-simulate --python tests/blender/window_check.py
"""
import os
import pathlib
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
from support import SCRATCH, marrow, marrow_addon

COUNT = 200


def folder_of_clips():
    up = marrow.Transform((0, 0, 5))
    bones = [("Root", None), ("Arm", "Root", up), ("Hair 1", "Arm", up), ("Hair 2", "Hair 1", up), ("Hair 3", "Hair 2", up)]
    rig = marrow.Skeleton.new("Root", bones, game="skyrim-se")
    rig.save(str(SCRATCH / "skeleton.hkx"))
    frames = {"Root": {"translations": [[0, 0, i * 0.1] for i in range(300)]}, "Arm": {"translations": [[0, i * 0.1, 5] for i in range(300)]}}
    marrow.Clip(frames, skeleton=rig, game="skyrim-se").save(str(SCRATCH / "clip.hkx"))
    data = (SCRATCH / "clip.hkx").read_bytes()
    folder = SCRATCH / "clips"
    folder.mkdir()
    for index in range(COUNT):
        (folder / f"clip{index:03}.hkx").write_bytes(data)
    return folder


class Check:
    """Runs from a timer, so that the window goes on in between. The script yields the seconds until it goes on, or a
    condition that it waits for."""

    def __init__(self):
        self.script = self.undo_and_redo()
        self.rest = iter((self.preview_follows, self.browser_suggests, self.import_stops))
        self.condition, self.deadline = None, 0.0

    def tick(self):
        try:
            return self.advance()
        except BaseException:
            traceback.print_exc()
            sys.stdout.flush()
            os._exit(1)

    def advance(self):
        if self.condition is not None and not self.condition():
            assert time.monotonic() < self.deadline, "the window does not get there"
            return 0.1
        self.condition = None
        for wait in self.script:
            if not callable(wait):
                return wait
            self.condition, self.deadline = wait, time.monotonic() + 60.0
            return 0.1
        self.script = next(self.rest)()
        return 0.1

    def undo_and_redo(self):
        bpy.ops.ed.undo_push(message="before")
        with self.view():
            assert bpy.ops.marrow.import_files(filepath=str(SCRATCH / "skeleton.hkx")) == {"FINISHED"}
            bpy.ops.ed.undo_push(message="import")
        assert len(bpy.data.armatures) == 1
        yield 0.2
        with self.view():
            bpy.ops.ed.undo()
        assert len(bpy.data.armatures) == 0, "undo takes the import back"
        with self.view():
            bpy.ops.ed.redo()
        assert len(bpy.data.armatures) == 1, "redo brings it again"
        yield 0.2

    def preview_follows(self):
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 0, 30
        scene.marrow.preset, scene.marrow.preset_bone = "chain", "Hair 1"
        scene.marrow.live = True
        yield lambda: self.simulated() is not None
        before = self.simulated()
        scene.marrow.wind = (0.0, 9.0, 0.0)
        yield lambda: max(abs(a - b) for a, b in zip(before, self.simulated())) > 1e-3
        scene.marrow.live = False
        yield lambda: self.simulated() is None
        assert not any(each.name.endswith("(simulated)") for each in bpy.data.actions)

    @staticmethod
    def simulated():
        """Returns the last turn of the hair in the preview, which a timer makes; None if there is no preview."""
        data = bpy.context.view_layer.objects.active.animation_data
        if data is None or data.action is None:
            return None
        found = marrow_addon.curves.by_path(data.action)
        path = marrow_addon.channels.bone_path("Hair 1", "rotation_quaternion")
        return [found[(path, index)].evaluate(30.0) for index in range(4)]

    def browser_suggests(self):
        """What the file browser of an export starts with, and writes: the name of the action that is shown now."""
        with self.view():
            bpy.ops.marrow.import_files(filepath=str(SCRATCH / "clip.hkx"), skeleton=str(SCRATCH / "skeleton.hkx"))
        action = bpy.context.view_layer.objects.active.animation_data.action
        assert action.name == "clip", action.name
        folder = SCRATCH / "browsed"
        folder.mkdir()
        for name, typed, written in (("clip", None, "clip.hkx"), ("Run (1)", None, "Run (1).hkx"), ("Run (1)", "slow.xml", "slow.xml")):
            action.name = name
            with self.view():
                assert bpy.ops.marrow.export_animation("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
            yield lambda: self.browser() is not None
            params = self.browser()[1].spaces.active.params
            assert params.filename == name + ".hkx", params.filename
            params.directory = bytes(folder)
            params.filename = typed or params.filename
            yield 0.3
            window, area = self.browser()
            where = {"x": area.x + area.width // 2, "y": area.y + area.height // 2}
            window.event_simulate(type="MOUSEMOVE", value="NOTHING", **where)
            for value in ("PRESS", "RELEASE"):
                window.event_simulate(type="RET", value=value, **where)
            yield lambda: self.browser() is None
            assert (folder / written).is_file(), (written, list(folder.iterdir()))
        assert (folder / "clip.hkx").read_bytes() == (SCRATCH / "clip.hkx").read_bytes()
        assert (folder / "slow.xml").read_bytes().lstrip()[:5] == b"<?xml"

    @staticmethod
    def browser():
        """Returns the window and the area of the file browser, or None."""
        found = [(w, a) for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == "FILE_BROWSER"]
        return found[0] if found and found[0][1].spaces.active.params is not None else None

    def import_stops(self):
        names = [{"name": f"clip{index:03}.hkx"} for index in range(COUNT)]
        with self.view():
            outcome = bpy.ops.marrow.import_files(
                "EXEC_DEFAULT", directory=str(SCRATCH / "clips"), files=names, skeleton=str(SCRATCH / "skeleton.hkx")
            )
        assert outcome == {"RUNNING_MODAL"}, outcome
        steps = marrow_addon.batch.running
        assert steps is not None and steps.total == COUNT, steps
        yield lambda: steps.done > 0
        seen = steps.done
        assert f"of {COUNT}, clip" in steps.text and 0.0 < steps.share < 1.0, steps.text
        yield lambda: steps.done > seen
        self.window().event_simulate(type="ESC", value="PRESS")
        self.window().event_simulate(type="ESC", value="RELEASE")
        yield lambda: marrow_addon.batch.running is None
        count = len(bpy.data.actions)
        assert 0 < count < COUNT, count
        print(f"ok: stopped after {count} of {COUNT} clips; undo, redo, live preview and file browser; Blender {bpy.app.version_string}")
        sys.stdout.flush()
        os._exit(0)

    @staticmethod
    def window():
        return bpy.context.window_manager.windows[0]

    def view(self):
        window = self.window()
        area = next(each for each in window.screen.areas if each.type == "VIEW_3D")
        region = next(each for each in area.regions if each.type == "WINDOW")
        return bpy.context.temp_override(window=window, screen=window.screen, area=area, region=region)


marrow_addon.register()
bpy.context.preferences.view.show_splash = False
folder_of_clips()
bpy.app.timers.register(Check().tick, first_interval=1.0)
