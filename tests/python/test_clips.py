# SPDX-License-Identifier: MIT
"""Clips: arrays, poses, events, root motion, slices, saving."""
import csv
import gc
import math
import unittest

from support import CORPUS, GOLDEN, folder, needs, needs_numpy, run_tests, skeleton, walk

import marrow
from marrow._library import raw

HEAD, COM = "NPC Head [Head]", "NPC COM [COM ]"


def walking():
    return marrow.load(walk(), skeleton=skeleton()).clip


class Clips(unittest.TestCase):
    def test_a_clip_reports_what_it_is(self):
        clip = walking()
        self.assertEqual((clip.frame_count, clip.track_count, len(clip)), (31, 48, 31))
        self.assertAlmostEqual(clip.duration, 1.0, 5)
        self.assertAlmostEqual(clip.fps, 30.0, 4)
        self.assertEqual(clip.blend, "normal")
        self.assertIn("31 frames, 48 tracks", repr(clip))
        self.assertEqual(clip.bone_names, marrow.load(skeleton()).skeleton.names)

    def test_the_skeleton_is_found_near_the_clip(self):
        clip = marrow.load(walk()).clip
        self.assertEqual(clip.skeleton.names[0], "NPC Root [Root]")
        with folder():
            with open("lonely.hkx", "wb") as file:
                file.write(walk().read_bytes())
            lonely = marrow.load("lonely.hkx").clip
            self.assertIsNone(lonely.skeleton)
            with open("skeleton.hkx", "wb") as file:
                file.write(skeleton().read_bytes())
            self.assertIsNotNone(marrow.load("lonely.hkx").clip.skeleton)
            self.assertIsNone(marrow.load(walk().read_bytes()).clip.skeleton)  # bytes lie nowhere
            self.assertEqual(len(lonely.pose(0.1)), 48)
            with self.assertRaises(marrow.NoSkeletonError):
                lonely.document.skeleton

    def test_a_pose_holds_between_frames_and_beyond_the_ends(self):
        clip = walking()
        a, middle, b = (clip.pose(frame=f)[COM].translation[2] for f in (3, 3.5, 4))
        self.assertTrue(min(a, b) - 0.1 <= middle <= max(a, b) + 0.1)
        self.assertEqual(clip.pose(-5.0), clip.pose(0.0))
        self.assertEqual(clip.pose(99.0), clip.pose(clip.duration))
        model = clip.pose(0.25, space="model")
        self.assertEqual(model, clip.skeleton.to_model(clip.pose(0.25)))
        self.assertGreater(model[HEAD].translation[2], 100)

    def test_many_clips_are_sampled_at_once(self):
        clips = [walking() for _ in range(3)]
        wanted = [(clips[i % 3], 0.13 * i) for i in range(8)]
        for pose, (clip, time) in zip(marrow.sample_many(wanted), wanted):
            alone = clip.sample(time)
            self.assertEqual(len(pose), len(alone))
            for a, b in zip(pose, alone):
                for x, y in zip(a.numbers(), b.numbers()):
                    self.assertAlmostEqual(x, y, delta=1e-4 * max(1.0, abs(y)))
        self.assertEqual(list(marrow.sample_many([])), [])
        with self.assertRaises(marrow.OptionError):
            marrow.sample_many([("walk.hkx", 0.0)])

    @needs_numpy
    def test_many_clips_are_sampled_as_they_are_now(self):
        clip = walking()
        clip.translations[:, 0] = (1.0, 2.0, 3.0)
        self.assertEqual(marrow.sample_many([(clip, 0.2)])[0][0].translation, (1.0, 2.0, 3.0))
        clip.translations[:, 0] = (4.0, 5.0, 6.0)
        self.assertEqual(marrow.sample_many([(clip, 0.2)])[0][0].translation, (4.0, 5.0, 6.0))

    def test_tracks_and_poses_work_without_numpy_and_by_name(self):
        clip = walking()
        track = clip[HEAD]
        self.assertEqual((track.name, track.bone.name, len(track)), (HEAD, HEAD, 31))
        self.assertEqual(track[4].rotation, clip.tracks[track.index][4].rotation)
        track[4] = marrow.Transform((1, 2, 3))
        self.assertEqual(clip.pose(frame=4)[HEAD], marrow.Transform((1, 2, 3)))
        with self.assertRaises(KeyError) as caught:
            clip["NPC Hed [Head]"]
        self.assertIn("NPC Head [Head]", str(caught.exception))
        with self.assertRaises(IndexError):
            clip[31]

    def test_events_are_a_list_that_writes_through(self):
        clip = walking()
        clip.annotations = [(0.1, "FootLeft"), (0.6, "FootRight")]
        clip.annotations.add(0.3, "SoundPlay.Step")
        clip.annotations.append((0.9, "Last"))
        self.assertEqual([each.text for each in clip.annotations], ["FootLeft", "SoundPlay.Step", "FootRight", "Last"])
        self.assertEqual(clip.annotations.replace("soundplay.*", "SoundPlay.Other"), 1)
        self.assertEqual(clip.annotations.remove_matching("Foot*"), 2)
        del clip.annotations[-1]
        clip.annotations[0] = clip.annotations[0]._replace(time=0.5)
        self.assertEqual(list(clip.annotations), [(0.5, "SoundPlay.Other", 0)])
        again = marrow.load(clip.document.to_bytes()).clip
        self.assertEqual(again.annotations, [(0.5, "SoundPlay.Other")])

    def test_root_motion_is_read_and_written(self):
        clip = walking()
        motion = clip.root_motion
        self.assertEqual(len(motion.samples), 31)
        self.assertAlmostEqual(motion.samples[-1][1], 110.0, 3)
        motion.samples = [tuple(2 * x for x in row) for row in motion.samples]
        clip.root_motion = motion
        again = marrow.load(clip.document.to_bytes()).clip
        self.assertAlmostEqual(again.root_motion.samples[-1][1], 220.0, 3)
        again.root_motion = None
        self.assertIsNone(marrow.load(again.document.to_bytes()).clip.root_motion)

    def test_the_header_of_a_clip_is_written(self):
        for source in (walk(), marrow.ops.compress(walk(), uncompressed=True).bytes):
            clip = marrow.load(source).clip
            clip.duration, clip.skeleton_name, clip.blend = 2.0, "Other", "additive-deprecated"
            clip.track_to_bone = range(47, -1, -1)
            again = marrow.load(clip.document.to_bytes()).clip
            self.assertEqual((again.duration, again.skeleton_name, again.blend), (2.0, "Other", "additive-deprecated"))
            self.assertEqual((again.track_to_bone, again.fps), (tuple(range(47, -1, -1)), 15.0))
            self.assertTrue(again.is_additive)
            with self.assertRaises(marrow.OptionError):
                clip.blend = "screen"
            with self.assertRaises(marrow.OptionError):
                clip.duration = -1

    def test_an_untouched_clip_goes_back_byte_for_byte(self):
        with folder():
            walking().save("same.hkx")
            with open("same.hkx", "rb") as file:
                self.assertEqual(file.read(), walk().read_bytes())

    def test_bounds_and_games_are_kept_when_saving(self):
        with folder():
            walking().save("fo4.hkx", game="fallout4", max_rotation_error=0.05)
            made = marrow.load("fo4.hkx")
            self.assertEqual((made.game, made.clip.frame_count), ("fallout4", 31))
            before = walking()
            for frame in range(31):
                for old, new in zip(before[frame], made.clip[frame]):
                    dot = abs(sum(a * b for a, b in zip(old.rotation, new.rotation)))
                    self.assertGreater(dot, 1 - 5e-7)  # 0.1 degrees
            with self.assertRaises(marrow.OptionError) as caught:
                walking().save("x.hkx", max_rotation_error=-1)
            self.assertEqual(caught.exception.path, "max_rotation_error")
            with self.assertRaises(TypeError):  # its options are arguments by name
                walking().save("x.hkx", max_rotation_eror=1)
            with self.assertRaises(marrow.OptionError):
                walking().save("x.fbx")

    def test_a_clip_is_made_of_lists(self):
        clip = marrow.Clip({"Pelvis": {"translations": [[0, 0, i * 0.01] for i in range(31)]}}, duration=1.0)
        with folder():
            clip.save("output.hkx", game="fallout4")
            made = marrow.load("output.hkx").clip
            self.assertEqual((made.frame_count, made.track_count, made.bone_names), (31, 1, ("Pelvis",)))
            self.assertAlmostEqual(made["Pelvis"][30].translation[2], 0.3, 3)
            self.assertEqual(made["Pelvis"][30].scale, (1, 1, 1))
        with self.assertRaises(ValueError):
            marrow.Clip({"A": {"translations": [[0, 0, 0]]}, "B": {"translations": [[0, 0, 0]] * 2}})
        with self.assertRaises(ValueError):
            marrow.Clip({"A": {"translations": [[0, 0]]}})
        with self.assertRaises(KeyError):
            marrow.Clip({"No such bone": {}}, skeleton=skeleton())
        on_skeleton = marrow.Clip({HEAD: {"rotations": [[0, 0, 0, 1]] * 2}}, skeleton=skeleton())
        self.assertEqual(on_skeleton.track_to_bone, (on_skeleton.skeleton.index_of(HEAD),))
        self.assertEqual(on_skeleton.pose(0)[HEAD], on_skeleton.skeleton[HEAD].rest)

    def test_clips_are_mirrored_and_retargeted_to_clips(self):
        clip = walking()
        mirrored = clip.mirror()
        left, right = "NPC L Thigh [LThg]", "NPC R Thigh [RThg]"
        for old, new in zip(clip.pose(frame=5)[left].rotation, mirrored.pose(frame=5)[right].rotation):
            self.assertAlmostEqual(abs(old), abs(new), 2)
        retargeted = clip.retarget(skeleton("fallout4"))
        self.assertEqual((retargeted.document.game, retargeted.frame_count), ("fallout4", 31))
        simulated = clip.simulate("chain", bone=["NPC L Forearm [LLar]"])
        self.assertEqual(simulated.frame_count, 31)
        self.assertNotEqual(simulated.pose(frame=9)["NPC L Forearm [LLar]"], clip.pose(frame=9)["NPC L Forearm [LLar]"])
        self.assertLess(len(clip.compress(max_rotation_error=1.0).document.to_bytes()), walk().stat().st_size)

    def test_a_clip_mirrored_eight_times_is_the_clip(self):
        clip = walking()
        mirrored = clip
        for _ in range(8):
            mirrored = mirrored.mirror()
        for frame in range(clip.frame_count):
            for bone, (before, after) in enumerate(zip(clip.pose(frame=frame), mirrored.pose(frame=frame))):
                chord = min(
                    math.dist(before.rotation, after.rotation), math.dist(before.rotation, [-x for x in after.rotation])
                )
                self.assertLess(math.degrees(4 * math.asin(chord / 2)), 5e-4, (frame, bone))

    def test_operations_change_a_document_in_memory(self):
        document = marrow.load(walk())
        before = document.copy()
        report = document.apply("annotations add", {"time": 0.25, "text": "Here"})
        self.assertEqual(report.files, ())
        self.assertIn("Here", [each.text for each in document.clip.annotations])
        self.assertEqual(len(before.diff(document)), 1)
        self.assertEqual(document.info()["clips"][0]["annotations"], before.info()["clips"][0]["annotations"] + 1)
        document.apply("annotations remove", {"match": "Here"})
        self.assertEqual(before.diff(document), [])
        self.assertEqual(document.to_bytes(), before.to_bytes())


@needs_numpy
class Arrays(unittest.TestCase):
    def test_arrays_look_into_the_clip_and_take_names(self):
        clip = walking()
        self.assertEqual(clip.frames.shape, (31, 48, 10))
        self.assertEqual(clip.rotations[3, HEAD].shape, (4,))
        self.assertEqual(clip.rotations[:, HEAD].shape, (31, 4))
        self.assertEqual(clip.rotations[HEAD].shape, (31, 4))
        self.assertEqual(clip.translations[2:5, [HEAD, COM]].shape, (3, 2, 3))
        self.assertEqual(type(clip.rotations * 2).__name__, "ndarray")
        self.assertEqual(type(clip.rotations[2:]).__name__, "ndarray")
        self.assertEqual(type(clip.rotations.max()).__name__, "float32")
        clip.translations[5, HEAD] = 1, 2, 3
        self.assertEqual(clip[HEAD].translations[5].tolist(), [1, 2, 3])
        self.assertEqual(clip.pose(frame=5)[HEAD].translation, (1, 2, 3))
        self.assertEqual(clip.frames[5, clip.track_of(HEAD)].tolist(), [*clip[5][HEAD].numbers()])
        self.assertEqual(clip.pose(frame=5).translations[clip.skeleton.index_of(HEAD)].tolist(), [1, 2, 3])
        again = marrow.load(clip.document.to_bytes(), skeleton=skeleton()).clip
        for got, wanted in zip(again.translations[5, HEAD], (1, 2, 3)):
            self.assertAlmostEqual(got, wanted, 2)

    def test_tracks_that_are_not_touched_keep_their_codes(self):
        clip = walking()
        clip.translations[:, COM, 2] += 1
        again = marrow.load(clip.document.to_bytes(), skeleton=skeleton()).clip
        for name in clip.bone_names:
            if name != COM:
                self.assertTrue((again.frames[:, name] == walking().frames[:, name]).all(), name)

    def test_arrays_stay_valid_whatever_happens_to_the_document(self):
        clip = walking()
        before = clip.frames
        copy = before.copy()
        clip.set_frames(copy[:10] + 0)
        self.assertEqual((clip.frame_count, before.shape[0]), (10, 31))
        self.assertTrue((before == copy).all())
        clip.document.add_clip("another")
        self.assertTrue((before == copy).all())
        clip.document.close()
        with self.assertRaises(ValueError):
            clip.frames
        del clip
        gc.collect()
        self.assertTrue((before == copy).all())

    def test_handles_are_released_with_the_last_view(self):
        gc.collect()
        open_before = raw.marrow_open_handles()
        array = walking().frames
        gc.collect()
        self.assertGreater(raw.marrow_open_handles(), open_before)
        del array
        gc.collect()
        self.assertEqual(raw.marrow_open_handles(), open_before)

    def test_slices_are_clips(self):
        clip = walking()
        clip.annotations = [(0.2, "early"), (0.5, "middle"), (0.9, "late")]
        part = clip[10:21]
        self.assertEqual((part.frame_count, round(part.duration, 4)), (11, round(10 / 30, 4)))
        self.assertEqual([(round(e.time, 4), e.text) for e in part.annotations], [(round(0.5 - 10 / 30, 4), "middle")])
        self.assertTrue((part.frames == clip.frames[10:21]).all())
        self.assertAlmostEqual(part.root_motion.samples[0][1], 0.0)
        self.assertEqual(clip.frame_count, 31)
        back = clip[::-1]
        self.assertTrue((back.frames == clip.frames[::-1]).all())
        self.assertEqual([e.text for e in back.annotations], ["late", "middle", "early"])
        half = clip[::2]
        self.assertEqual((half.frame_count, round(half.duration, 4)), (16, 1.0))
        with self.assertRaises(ValueError):
            clip[5:5]
        self.assertEqual((clip[7:8].frame_count, clip[7:8].duration), (1, 0.0))

    def test_slices_follow_a_path_that_turns_as_operations_do(self):
        document = walking().document.copy()
        document.apply("root-motion set", {"move": [0, 90, 0], "turn": 90})
        trimmed = document.copy()
        trimmed.apply("clip trim", {"from_frame": 8, "to_frame": 20})
        part = document.clip[8:21]
        self.assertEqual(part.root_motion.samples, trimmed.clip.root_motion.samples)
        self.assertGreater(abs(part.root_motion.samples[-1][0]), 1.0)  # it starts facing aside
        self.assertEqual(document.clip[8:21:2].root_motion.samples, trimmed.clip.root_motion.samples[::2])
        trimmed.apply("clip reverse")
        self.assertEqual(document.clip[20:7:-1].root_motion.samples, trimmed.clip.root_motion.samples)

    def test_blenders_conventions_and_back(self):
        clip = walking()
        clip.annotations = [(0.5, "SoundPlay.footstep")]
        before = clip.frames.copy()
        motion = marrow.blender.to_blender(clip)
        # At rest there is nothing to do; a marker is at its frame.
        self.assertEqual(motion.markers[0], (15.0, "SoundPlay.footstep"))
        root = clip.track_of("NPC Root [Root]")
        self.assertTrue(abs(motion.quaternions[:, root] - [1, 0, 0, 0]).max() < 1e-6)
        marrow.blender.from_blender(clip, motion)
        self.assertTrue((clip.frames == before).all())
        motion.locations[:, root] += (0, 0, 5)
        marrow.blender.from_blender(clip, motion)
        self.assertTrue((clip.translations[:, root, 2] == before[:, root, 2] + 5).all())
        self.assertEqual(clip.annotations, [(0.5, "SoundPlay.footstep")])

    def test_deltas_of_blender_are_those_of_the_published_formulas(self):
        import numpy as np

        clip = walking()
        rng = np.random.default_rng(7)
        rotations = rng.normal(size=clip.rotations.shape)
        clip.rotations = rotations / np.linalg.norm(rotations, axis=-1, keepdims=True)
        motion = marrow.blender.to_blender(clip)

        def matrix(q):
            x, y, z, w = q
            return np.array([
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ])

        for track, bone in enumerate(clip.track_to_bone):
            rest = clip.skeleton.bones[bone].rest
            back = matrix(rest.rotation).T
            w, x, y, z = motion.quaternions[3, track]
            self.assertLess(abs(back @ matrix(clip.rotations[3, track]) - matrix((x, y, z, w))).max(), 1e-5)
            moved = back @ (clip.translations[3, track] - np.array(rest.translation))
            self.assertLess(abs(moved - motion.locations[3, track]).max(), 1e-4)

    @needs(CORPUS)
    def test_float_tracks_are_arrays_too(self):
        clip = marrow.load(CORPUS / "hkx/skyrim-se/bow_drawlight.hkx").clip
        self.assertEqual(clip.floats.shape, (clip.frame_count, clip.float_track_count))
        self.assertGreater(clip.float_track_count, 0)
        clip.floats[:, 0] = 0.25
        again = marrow.load(clip.document.to_bytes()).clip
        self.assertTrue(abs(again.floats[:, 0] - 0.25).max() < 1e-3)
        self.assertTrue((again.frames == clip.frames).all())

    def test_float_tracks_name_the_slots_that_they_move(self):
        slots = [marrow.FloatSlot(name) for name in ("hkVis:Bow", "hkFade:Bow")]
        rig = marrow.Skeleton.new("Root", [("Root", None)], slots, game="skyrim-se")
        clip = marrow.Clip({"Root": {"translations": [[0, 0, 0], [0, 0, 1]]}}, skeleton=rig)
        clip.set_frames(clip.frames.copy(), floats=[[0.0], [1.0]])
        clip.track_to_slot = [1]
        again = marrow.load(clip.document.to_bytes(), skeleton=rig).clip
        self.assertEqual(again.track_to_slot, (1,))
        self.assertEqual(again.float_names, ("hkFade:Bow",))
        self.assertEqual(again.track_to_bone, (0,))

    @needs(GOLDEN)
    def test_numbers_are_the_golden_ones(self):
        import numpy as np

        for path in sorted(GOLDEN.glob("*.csv")):
            game, name = path.stem.rsplit("-", 1)
            clip = marrow.load(CORPUS / "hkx" / game / f"{name}.hkx").clip
            with open(path) as file, self.subTest(clip=path.stem):
                rows = list(csv.DictReader(file))
                for row in rows:
                    got = clip.sample(frame=float(row["frame"])).array[int(row["track"])].astype(float)
                    wanted = np.array([float(row[key]) for key in "tx ty tz qx qy qz qw sx sy sz".split()])
                    self.assertLess(abs(got[:3] - wanted[:3]).max(), 1e-4)
                    a, b = (q[3:7] / np.linalg.norm(q[3:7]) for q in (got, wanted))
                    chord = np.linalg.norm(a - np.sign(a @ b) * b)
                    self.assertLess(np.degrees(4 * np.arcsin(min(1.0, chord / 2))), 0.001)
                self.assertTrue(rows)


if __name__ == "__main__":
    run_tests()
