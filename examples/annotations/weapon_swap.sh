#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Renames events in every clip of a folder and lists what they are now: weapon_swap.sh CLIPS OUT FROM TO
set -euo pipefail
marrow=${MARROW:-marrow}
clips=$1 out=$2 from=$3 to=$4

"$marrow" annotations replace "$clips" --part "$from" --text "$to" -o "$out"
"$marrow" annotations list "$out"
