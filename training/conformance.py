#!/usr/bin/env python3
"""Writes vectors that the product must reproduce, computed here from the packed file.

    node training/rows.mjs --built dist < texts.json | python3 training/conformance.py TABLE > test/search-quality/model-vectors.json
"""
import hashlib
import json
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

from measure import pad


class PackedTable:
    """The written file, read back: what is computed here is what the product must compute."""

    def __init__(self, path):
        content = open(path, 'rb').read()
        assert hashlib.sha256(content[40:]).digest() == content[8:40]
        self.dim, terms, pieces, _ = struct.unpack_from('<IIII', content, 40)
        rows, at = terms + pieces, 56
        self.parts = torch.from_numpy(np.frombuffer(content, '<f4', 6, at).copy())
        self.scales = torch.from_numpy(np.frombuffer(content, '<f4', 2 * rows, at + 24).reshape(2, rows).copy())
        self.scales[:, terms:] *= 0.7  # as src/search/model/static-model.ts counts pieces
        values = np.frombuffer(content, np.int8, rows * self.dim, at + 24 + 8 * rows).reshape(rows, self.dim)
        self.values = torch.from_numpy(values.astype(np.float32))

    def encode(self, texts):
        out = []
        for i in range(0, len(texts), 256):
            rows, parts, weights = pad(texts[i:i + 256], 'cpu')
            own = torch.where(parts == 5, self.scales[0][rows], self.scales[1][rows])
            out.append(torch.einsum('blh,bl->bh', self.values[rows], weights * own * self.parts[parts]))
        return F.normalize(torch.cat(out), dim=-1, eps=1e-6)


def main():
    table = PackedTable(sys.argv[1])
    texts = json.load(sys.stdin)
    vectors = table.encode([t['rows'] for t in texts]).numpy()
    for text, vector in zip(texts, vectors):
        text['vector'] = [round(float(v), 5) for v in vector[:16]]
        text['rows'] = [text['rows'][i] for i in range(0, len(text['rows']), 3)]
    print('[\n' + ',\n'.join('  ' + json.dumps(t, ensure_ascii=False) for t in texts) + '\n]')


if __name__ == '__main__':
    main()
