#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Converts the animations of a mod from Skyrim LE to SE: convert_mod.sh MOD OUT. MARROW names the program.
set -euo pipefail
marrow=${MARROW:-marrow}
mod=$1 out=$2

cp -r "$mod" "$out"                                   # textures, scripts and plugins come along
"$marrow" convert "$out" --only-wrong --to skyrim-se --in-place --no-backup
"$marrow" check "$out" --game skyrim-se               # exit 3 if anything would still crash or T-pose
