# SPDX-License-Identifier: MIT
"""The interface for real, in a window: a long import shows its progress, stops at Esc and keeps what is done; undo takes
an import and an edit back; the live preview follows a value.

    xvfb-run blender --factory-startup --enable-event-simulate --python tests/blender/window_check.py
"""
import os
import pathlib
import sys
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
from support import SCRATCH, marrow, marrow_addon

COUNT = 200


def folder_of_clips():
    rig = marrow.Skeleton.new("Root", [("Root", None), ("Arm", "Root", marrow.Transform((0, 0, 5)))], game="skyrim-se")
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
    """Runs its steps one by one from a timer; a step returns the seconds until the next."""

    def __init__(self):
        self.steps = iter((self.undo_first, self.undone, self.begin, self.stop, self.stopped))

    def tick(self):
        try:
            return next(self.steps)()
        except BaseException:
            traceback.print_exc()
            sys.stdout.flush()
            os._exit(1)

    def undo_first(self):
        bpy.ops.ed.undo_push(message="before")
        with self.view():
            assert bpy.ops.marrow.import_files(filepath=str(SCRATCH / "skeleton.hkx")) == {"FINISHED"}
            bpy.ops.ed.undo_push(message="import")
        assert len(bpy.data.armatures) == 1
        return 0.2

    def undone(self):
        with self.view():
            bpy.ops.ed.undo()
        assert len(bpy.data.armatures) == 0, "undo takes the import back"
        return 0.2

    def begin(self):
        names = [{"name": f"clip{index:03}.hkx"} for index in range(COUNT)]
        with self.view():
            outcome = bpy.ops.marrow.import_files(
                "EXEC_DEFAULT", directory=str(SCRATCH / "clips"), files=names, skeleton=str(SCRATCH / "skeleton.hkx")
            )
        assert outcome == {"RUNNING_MODAL"}, outcome
        return 0.5

    def stop(self):
        self.window().event_simulate(type="ESC", value="PRESS")
        self.window().event_simulate(type="ESC", value="RELEASE")
        return 2.0

    def stopped(self):
        count = len(bpy.data.actions)
        print(f"ok: stopped after {count} of {COUNT} clips; undo took an import back; Blender {bpy.app.version_string}")
        sys.stdout.flush()
        os._exit(0 if 0 < count < COUNT else 1)

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
