#!/bin/sh
# The whole way from text to the shipped table; see README.md.
set -e
cd "$(dirname "$0")/.."
text="${PEGBOARD_TRAIN:-../shared/train}"
dev="${PEGBOARD_EVAL:-../shared/eval}"
python="${PYTHON:-python3}"
node --max-old-space-size=8000 training/prepare.mjs --text "$text" --out .train-data
node --max-old-space-size=8000 training/candidates.mjs --text "$text" --dev "$dev" --out .train-data
"$python" training/train.py --data .train-data --out .train-data/out --seed 1 --dev | tee training/log/table.txt
"$python" training/fusion.py --table .train-data/out/table.bin --data .train-data | tee training/log/fusion.txt
cp .train-data/out/table.bin src/search/model/data/table.bin
