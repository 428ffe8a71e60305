#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs one command over a folder in N processes with GNU parallel, here or over ssh:
#
#     parallel.sh N REPORTS marrow convert FOLDER -o OUT --to skyrim-se
#     SSH=host1,host2 parallel.sh 8 REPORTS marrow ...      every host sees the same folders
#
# Each process takes one part of the files (--shard) and keeps a report of its own in REPORTS. Run it again after a kill:
# what the reports list as done is skipped. The exit code is that of the worst part.
set -euo pipefail
parts=$1 reports=$2
shift 2
mkdir -p "$reports"
hosts=()
[ -z "${SSH:-}" ] || hosts=(--sshlogin "$SSH" --workdir "$PWD")
command=$(printf '%q ' "$@")
code=0
seq "$parts" | parallel "${hosts[@]}" --will-cite --halt never \
  "$command --shard {}/$parts --report $(printf '%q' "$reports")/part-{}.jsonl --resume -j 1" || code=1
exit $code
