#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds collision from a mesh and attaches it to a node of a NIF of Fallout 4:
#     mesh_into_nif.sh MESH NIF NODE OUT [MATERIAL] [KILOGRAMS]
set -euo pipefail
marrow=${MARROW:-marrow}
mesh=$1 nif=$2 node=$3 out=$4 material=${5:-wood} mass=${6:-8}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$marrow" collision build "$mesh" --shape decompose --material "$material" --mass "$mass" -o "$work/collision.hkx"
"$marrow" collision attach "$nif" "$work/collision.hkx" --node "$node" -o "$out"
"$marrow" collision list "$out"
"$marrow" check "$out"
