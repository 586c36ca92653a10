#!/usr/bin/env python3
"""Chooses how words and vectors join, with one family of development sets left out at a time.

    python3 training/fusion.py --table OUT/table.bin --data .train-data | tee training/log/fusion.txt

A ranking function is lexical coverage plus weighted features; src/search/model/fusion.ts holds what was chosen. It also prints
what the held-out training text would choose.
"""
import argparse
import glob
import hashlib
import os
import struct

import numpy as np
import torch
import torch.nn.functional as F

from measure import load_set, pad

MOST = 60  # candidates by words and as many by vectors
FLOOR = 0.1
NAMES = ['lexical', 'words', 'similarity', 'similarity, both Chinese', 'similarity of short queries', 'similarity where words cover little',
         'vote by similarity', 'similarity squared']
DISCOUNT = 1 / np.log2(np.arange(10) + 2)


class PackedTable:
    """The written file, read back: what is chosen here is what the product computes."""

    def __init__(self, path):
        content = open(path, 'rb').read()
        assert hashlib.sha256(content[40:]).digest() == content[8:40]
        self.dim, terms, pieces, _ = struct.unpack_from('<IIII', content, 40)
        rows, at = terms + pieces, 56
        self.parts = torch.from_numpy(np.frombuffer(content, '<f4', 6, at).copy())
        self.scales = torch.from_numpy(np.frombuffer(content, '<f4', 2 * rows, at + 24).reshape(2, rows).copy())
        values = np.frombuffer(content, np.int8, rows * self.dim, at + 24 + 8 * rows).reshape(rows, self.dim)
        self.values = torch.from_numpy(values.astype(np.float32))

    def encode(self, texts):
        out = []
        for i in range(0, len(texts), 256):
            rows, parts, weights = pad(texts[i:i + 256], 'cpu')
            own = torch.where(parts == 5, self.scales[0][rows], self.scales[1][rows])
            out.append(torch.einsum('blh,bl->bh', self.values[rows], weights * own * self.parts[parts]))
        return F.normalize(torch.cat(out), dim=-1, eps=1e-6)


def features(query, cosines, sources, chinese):
    """One line per candidate, in the order of NAMES, and their slots."""
    table = np.zeros((len(cosines), 2))
    for slot, words, related in query['candidates']:
        table[slot] = related, words
    close = np.maximum(0, (cosines - FLOOR) / (1 - FLOOR))
    near = np.argsort(-close, kind='stable')[:MOST]
    slots = np.unique(np.concatenate([near, np.argsort(-(table[:, 0] + 0.15 * close), kind='stable')[:MOST]]))
    votes = {s: np.sort(close[near][sources[near] == s])[::-1][:3].sum() / 3 for s in np.unique(sources[near])}
    lexical, words = table[slots].T
    c = close[slots]
    vote = np.array([votes.get(s, 0) for s in sources[slots]])
    both = chinese[slots] & query['chinese']
    return np.stack([lexical, words, c, c * both, c / (1 + query['concepts'] / 6), c * (1 - min(1, table[:, 0].max(initial=0))), vote, c * c], 1), slots


def read_sets(table, folder, prefix):
    sets = {}
    for path in sorted(glob.glob(os.path.join(folder, prefix + '*.json.gz'))):
        data = load_set(path)
        cosines = (table.encode([q['rows'] for q in data['queries']]) @ table.encode(data['tools']).T).numpy()
        sources, chinese = np.array(data['sources']), np.array(data['chinese'])
        count = len(data['queries'])
        X, G, ideal = np.full((count, 2 * MOST, len(NAMES)), -9.0, np.float32), np.zeros((count, 2 * MOST)), np.zeros(count)
        for i, (query, row) in enumerate(zip(data['queries'], cosines)):
            x, slots = features(query, row, sources, chinese)
            same = dict(query['same'])
            X[i, :len(x)] = x
            G[i, :len(x)] = [same.get(int(s), int(s)) in query['relevant'] for s in slots]
            ideal[i] = DISCOUNT[:min(10, query['wanted'])].sum()
        sets[data['name'].split('-', 1)[1]] = (X, G, ideal)
    return sets


def ndcg(item, weights):
    X, G, ideal = item
    scores = np.where(X[:, :, 0] < -1, -1e9, X @ weights)
    best = np.argsort(-scores, 1, kind='stable')[:, :10]
    return 100 * ((np.take_along_axis(G, best, 1) * DISCOUNT).sum(1) / ideal).mean()


def mean(sets, weights):
    return float(np.mean([ndcg(item, weights) for item in sets.values()]))


def choose(sets, columns, start):
    """Coordinate steps, each of which must be worth more than it strays from the start."""
    value = lambda w: mean(sets, w) - 0.3 * np.abs(w - start).sum()
    weights, best = start.copy(), value(start)
    for step in (0.1, 0.05, 0.025):
        for column in columns * 2:
            for sign in (1, -1):
                tried = weights.copy()
                tried[column] += sign * step
                if value(tried) > best + 0.01:
                    weights, best = tried, value(tried)
    return weights


def family(name):
    return name.split('-')[0][:7]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--table', required=True)
    parser.add_argument('--data', required=True)
    args = parser.parse_args()
    table, folder = PackedTable(args.table), os.path.join(args.data, 'candidates')
    dev, train = read_sets(table, folder, 'dev-'), read_sets(table, folder, 'train-')
    start = np.zeros(len(NAMES), np.float32)
    start[0], start[2] = 1, 0.15
    show = lambda sets, w: f'{mean(sets, w):.2f}  ' + ' '.join(f'{n} {ndcg(item, w):.1f}' for n, item in sets.items())
    for share in (0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5):
        w = start.copy()
        w[2] = share
        print(f'share {share}: dev {show(dev, w)}; training text {mean(train, w):.2f}', flush=True)
    for columns in ([2], [2, 3], [2, 4], [2, 5], [2, 6], [2, 7], [1, 2], [2, 3, 4], [2, 3, 4, 5, 6]):
        label = ', '.join(NAMES[c] for c in columns)
        left_out = {}
        for out in sorted({family(n) for n in dev}):
            w = choose({n: s for n, s in dev.items() if family(n) != out}, columns, start)
            left_out |= {n: ndcg(s, w) for n, s in dev.items() if family(n) == out}
        w = choose(dev, columns, start)
        print(f'[{label}] left out {np.mean(list(left_out.values())):.2f}; on all {show(dev, w)}; weights {[round(float(v), 3) for v in w]}', flush=True)
    w = choose(train, [2, 3], start)
    print(f'chosen on training text: weights {[round(float(v), 3) for v in w]}; dev {show(dev, w)}')


if __name__ == '__main__':
    main()
