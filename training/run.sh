#!/bin/sh
# The whole way from text to the shipped table and ranking; see README.md.
#   sh training/run.sh            as the shipped files are made: a GPU, or a CPU and patience (it tells how far it is)
#   sh training/run.sh --quick    a small table in minutes on a CPU, into .train-data only
set -e
cd "$(dirname "$0")/.."
text="${PEGBOARD_TRAIN:-../shared/train}"
dev="${PEGBOARD_EVAL:-../shared/eval}"
python="${PYTHON:-python3}"
out=.train-data
size="--steps 4300 --batch 8192 --dim 304 --also 192,256 --keep 0 --talk 0.25"
if [ "$1" = --quick ]; then
  out=.train-data/quick
  size="--steps 300 --batch 1024 --dim 128 --also= --keep 0"
fi
"$python" -c 'import torch; print("training on a", "GPU" if torch.cuda.is_available() else "CPU")'
node --max-old-space-size=8000 training/prepare.mjs --text "$text" --out "$out"
node --max-old-space-size=8000 training/candidates.mjs --text "$text" --dev "$dev" --out "$out"
# shellcheck disable=SC2086 # the size is several arguments
"$python" training/train.py --data "$out" --out "$out/out" --seed 1 --tell 50 --dev $size | tee "$out/table.txt"
node --max-old-space-size=8000 training/ranking.mjs --text "$text" --dev "$dev" --out "$out" --table "$out/out/table.bin"
"$python" training/ranking.py --data "$out" --write "$out/out/ranking-weights.ts" | tee "$out/ranking.txt"
if [ "$1" = --quick ]; then
  echo "made $out/out/table.bin and $out/out/ranking-weights.ts; the shipped files are as they were"
  exit 0
fi
cp "$out/table.txt" "$out/ranking.txt" training/log/
cp "$out/out/table.bin" "$out/out/ranking-weights.ts" src/search/model/data/
