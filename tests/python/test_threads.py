# SPDX-License-Identifier: MIT
"""Documents among threads, without numpy, and what stays open."""
import math
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import CUBE, FACES, ROOT, run_tests, skeleton, walk

import marrow
from marrow._library import raw


class Threads(unittest.TestCase):
    def test_threads_work_side_by_side(self):
        def job(number):
            clip = marrow.load(walk(), skeleton=skeleton()).clip
            clip.annotations.add(number / 100, f"event {number}")
            made = clip.document.to_bytes(game="fallout4")
            return marrow.load(made).clip.annotations[-1].text if made else None

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(job, range(40)))
        self.assertTrue(all(text for text in found))

    def test_one_clip_may_be_sampled_by_many(self):
        clip = marrow.load(walk(), skeleton=skeleton()).clip
        wanted = [clip.pose(frame=f) for f in range(31)]
        failures = []

        def job():
            for _ in range(20):
                for frame, pose in enumerate(wanted):
                    if clip.pose(frame=frame) != pose:
                        failures.append(frame)

        threads = [threading.Thread(target=job) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_the_interpreter_runs_on_during_a_call(self):
        rows = [[math.sin(i * 0.7), math.cos(i * i * 0.1), i % 7] for i in range(500)]
        clip = marrow.Clip({f"bone {i}": {"translations": rows} for i in range(20)})
        data = clip.document.to_bytes(game="skyrim-se")

        def longest_pause():
            """Returns the longest time that this thread had to wait, as a share of the length of the call."""
            took = []

            def job():
                start = time.perf_counter()
                marrow.ops.compress(data, max_position_error=0.001, effort="best")
                took.append(time.perf_counter() - start)

            thread = threading.Thread(target=job)
            longest, last, is_alive = 0.0, time.perf_counter(), True
            thread.start()
            while is_alive:
                is_alive = thread.is_alive()
                time.sleep(0.001)
                now = time.perf_counter()
                longest, last = max(longest, now - last), now
            return longest / took[0]

        # A call that held the interpreter would give about 1 every time; a busy machine gives that now and then.
        self.assertLess(min(longest_pause() for _ in range(4)), 0.6)


class WithoutNumpy(unittest.TestCase):
    def test_everything_but_arrays_works(self):
        program = f"""
import sys
sys.modules["numpy"] = None
sys.path.insert(0, {str(ROOT / "python")!r})
import marrow
clip = marrow.load({str(walk())!r}, skeleton={str(skeleton())!r}).clip
assert len(clip.pose(0.5)) == 48 and clip["NPC Head [Head]"][3].scale == (1, 1, 1)
clip["NPC Head [Head]"][3] = marrow.Transform((1, 2, 3))
clip.annotations.add(0.5, "here")
assert clip.pose(frame=3)["NPC Head [Head]"].translation == (1, 2, 3)
motion = clip.root_motion
clip.root_motion = motion
assert marrow.load(clip.document.to_bytes(game="fallout4")).clip.annotations[-1].text
made = marrow.Clip({{"A": {{"translations": [[0, 0, i] for i in range(3)]}}}})
assert marrow.load(made.document.to_bytes(game="skyrim-se")).clip.frame_count == 3
cube = marrow.Mesh({CUBE!r}, {FACES!r})
assert marrow.build_collision(cube, shape="hull", mass=1).collision[0].bodies[0].shape == "polytope"
assert marrow.Rig({str(skeleton())!r}, "chain", bones=["NPC L Forearm [LLar]"]).simulation().step(0.1)
try:
    clip.rotations
except ImportError as error:
    assert "numpy" in str(error)
else:
    raise AssertionError("an array without numpy")
"""
        subprocess.run([sys.executable, "-c", program], check=True)


class Handles(unittest.TestCase):
    def test_nothing_is_left_open(self):
        import gc

        gc.collect()
        before = raw.marrow_open_handles()
        for _ in range(3):
            document = marrow.load(walk(), skeleton=skeleton())
            document.clip.pose(0.5)
            document.clip.mirror()
            marrow.Rig(skeleton(), "chain", bones=["NPC L Forearm [LLar]"]).simulation().step(0.1)
            marrow.build_collision(marrow.Mesh(CUBE, FACES), shape="hull", mass=1).collision_meshes()
        del document
        gc.collect()
        self.assertEqual(raw.marrow_open_handles(), before)


if __name__ == "__main__":
    run_tests()
