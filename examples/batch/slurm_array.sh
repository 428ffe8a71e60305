#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One command over a folder as a Slurm array, one part of the files per task:
#
#     sbatch --array=1-16 slurm_array.sh REPORTS marrow convert FOLDER -o OUT --to skyrim-se
#
# A task that was killed or preempted is simply submitted again: its report says what is done.
#SBATCH --job-name=marrow
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -euo pipefail
reports=$1
shift
mkdir -p "$reports"
part=$SLURM_ARRAY_TASK_ID parts=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1))
exec "$@" --shard "$part/$parts" --report "$reports/part-$part.jsonl" --resume -j "${SLURM_CPUS_PER_TASK:-1}"
