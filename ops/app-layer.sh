#!/bin/sh
# What the image holds of Pegboard: the package with what it needs to run, less what only people and compilers read.
#   sh ops/app-layer.sh PACKAGE.tgz FOLDER
set -eu
mkdir -p "$2"
npm install --omit=dev --ignore-scripts --no-audit --no-fund --no-package-lock --prefer-offline --prefix "$2" "$1"
cd "$2/node_modules"
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -exec rm {} +
rm -rf pegboard/docs pegboard/examples pegboard/ops zod/src
