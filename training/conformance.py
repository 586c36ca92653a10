#!/usr/bin/env python3
"""Writes vectors that the product must reproduce, computed here from the packed file.

    node training/rows.mjs --built dist < texts.json | python3 training/conformance.py TABLE > test/search-quality/model-vectors.json
"""
import hashlib
import json
import math
import struct
import sys


class PackedTable:
    """The written file, read back: what is computed here, in plain Python, is what the product must compute."""

    def __init__(self, path):
        self.content = open(path, 'rb').read()
        assert hashlib.sha256(self.content[40:]).digest() == self.content[8:40]
        self.dim, self.terms, pieces, _ = struct.unpack_from('<IIII', self.content, 40)
        self.rows, at = self.terms + pieces, 56
        self.parts = struct.unpack_from('<6f', self.content, at)
        self.scales_at = at + 24
        self.values_at = self.scales_at + 8 * self.rows

    def scale(self, row, part):
        (scale,) = struct.unpack_from('<f', self.content, self.scales_at + 4 * (row if part == 5 else self.rows + row))
        return scale * (0.7 if row >= self.terms else 1)  # as src/search/model/static-model.ts counts pieces

    def encode(self, text):
        sums = [0.0] * self.dim
        for row, part, weight in zip(text[0::3], text[1::3], text[2::3]):
            factor = weight * self.scale(row, part) * self.parts[part]
            values = struct.unpack_from(f'{self.dim}b', self.content, self.values_at + row * self.dim)
            sums = [total + factor * value for total, value in zip(sums, values)]
        length = max(math.sqrt(sum(value * value for value in sums)), 1e-6)
        return [value / length for value in sums]


def main():
    table = PackedTable(sys.argv[1])
    texts = json.load(sys.stdin)
    for text in texts:
        text['vector'] = [round(v, 5) for v in table.encode(text['rows'])[:16]]
        text['rows'] = [text['rows'][i] for i in range(0, len(text['rows']), 3)]
    print('[\n' + ',\n'.join('  ' + json.dumps(t, ensure_ascii=False) for t in texts) + '\n]')


if __name__ == '__main__':
    main()
