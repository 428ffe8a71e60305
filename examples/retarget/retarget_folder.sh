#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plays every clip of a folder on another body: retarget_folder.sh CLIPS FROM_SKELETON TO_SKELETON OUT [MAP]
set -euo pipefail
marrow=${MARROW:-marrow}
clips=$1 from=$2 to=$3 out=$4 map=${5:-}

# Without a map bones are found by name.
"$marrow" retarget "$clips" --from "$from" --to "$to" ${map:+--map "$map"} -o "$out"
"$marrow" check "$out" --skeleton "$to"
