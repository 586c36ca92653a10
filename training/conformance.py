#!/usr/bin/env python3
"""Writes vectors that the product must reproduce, computed here from the packed file.

    node training/rows.mjs --built dist < texts.json | python3 training/conformance.py TABLE > test/search-quality/model-vectors.json
"""
import json
import sys

from fusion import PackedTable


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
