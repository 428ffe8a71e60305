#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Merges the mod into the fox's project, checks the result, walks it, and shows what is seen.
#
#     teach_fox.sh OUT
set -euo pipefail
marrow=${MARROW:-marrow}
here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out"
cp -r "$here/meshes" "$here/howl/meshes" "$out"
# Patches are for the game's own files: the base is the project as it ships, and the merged files take their places.
"$marrow" behavior patch "$here/meshes" --mods "$here/mods" --format xml -o "$out/meshes"
"$marrow" cache add "$here/meshes/animationdatasinglefile.txt" --project FoxProject --clip Howl --id 3 \
  --from "$out/meshes/fox/animations/Howl.xml" -o "$out/meshes/animationdatasinglefile.txt"
"$marrow" check "$out/meshes"
"$marrow" behavior graph "$out/meshes/fox/behaviors/FoxBehavior.xml" -o "$out/fox.svg"
# It stands, walks, stops and howls; the howl ends by itself.
for form in csv glb hkx; do
  "$marrow" behavior run "$out/meshes/fox/FoxProject.xml" --events moveStart@1,moveStop@3,howl@4 --seconds 8 -o "$out/run.$form"
done
