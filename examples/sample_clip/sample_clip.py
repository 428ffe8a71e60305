#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints where each bone of a clip is at a time, in model space: sample_clip.py CLIP SECONDS SKELETON"""
import sys

import marrow


def main(clip_path, seconds, skeleton_path):
    clip = marrow.load(clip_path, skeleton=skeleton_path).clip
    pose = clip.pose(float(seconds), space="model")
    for name, transform in zip(pose.names, pose):
        x, y, z = transform.translation
        print(f"{name} {x:.4f} {y:.4f} {z:.4f}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
