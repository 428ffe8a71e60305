#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Merges an addon into a skeleton, gives a chain of its bones physics, and writes both dialects of XML:
#     deliver_rig.sh BASE ADDON CHAIN GAME OUT          CHAIN is FIRST..LAST or one bone
set -euo pipefail
marrow=${MARROW:-marrow}
base=$1 addon=$2 chain=$3 game=$4 out=$5
mkdir -p "$out"

"$marrow" rig plan "$base" "$addon" --game "$game"                      # does it fit, and what would crash
"$marrow" rig apply "$addon" --modifiers ponytail --chain "$chain" --game "$game" -o "$out/addon.xml"
"$marrow" rig merge "$base" "$out/addon.xml" --game "$game" -o "$out/merged.xml"
"$marrow" check "$out/merged.xml" --game "$game"
"$marrow" simulate "$base" "$out/addon.xml" --game "$game" --shake 0.05,1 --seconds 2 -o "$out/preview.glb"
"$marrow" convert "$out/addon.xml" --format anvil-schema -o "$out/addon-schema.xml"
"$marrow" diff "$out/addon.xml" "$out/addon-schema.xml"                 # both dialects mean the same
