#!/usr/bin/env python3
"""Teaches the ranking function that joins words and vectors, on held-out training text; says how it does on development sets.

    python3 training/fusion.py --table OUT/table.bin --data .train-data --out src/search/model/fusion-weights.json
"""
import argparse
import glob
import hashlib
import json
import math
import os
import struct

import numpy as np
import torch
import torch.nn.functional as F

from measure import load_set, ndcg, pad

MOST = 100  # candidates by vectors beside those by words


class PackedTable:
    """The written file, read back: what is taught here is what the product computes."""

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


NAMES = ['lexical', 'words', 'cosine', 'name', 'named', 'vote', 'lexical*short', 'cosine*short', 'cosine*uncovered', 'lexical/best', 'cosine/best', 'cosine*lexical']


def features(query, cosines, sources):
    """One line per candidate, in the order of NAMES, and their slots."""
    size = len(cosines)
    table = np.zeros((size, 4))
    for slot, words, related, name, named in query['candidates']:
        table[slot] = related, words, name, named
    near = np.argsort(-cosines, kind='stable')[:MOST]
    slots = np.unique(np.concatenate([near, np.array([c[0] for c in query['candidates']], int)]))
    cosine = np.maximum(0, cosines)
    best_lexical, best_cosine = table[:, 0].max(initial=0), cosine.max(initial=0)
    votes = np.zeros(sources.max() + 1)
    for source, count in zip(*np.unique(sources[near], return_counts=True)):
        votes[source] = np.sort(cosine[near][sources[near] == source])[::-1][:3].sum() / 3
    lexical, words, name, named = table[slots].T
    c = cosine[slots]
    short = 1 / (1 + query['concepts'] / 6)
    columns = [lexical, words, c, name, named, votes[sources[slots]], lexical * short, c * short, c * (1 - min(1, best_lexical)),
               lexical / (best_lexical or 1), c / (best_cosine or 1), c * lexical]
    return np.stack(columns, 1), slots


def read_sets(table, folder, prefix):
    sets = []
    for path in sorted(glob.glob(os.path.join(folder, prefix + '*.json.gz'))):
        data = load_set(path)
        cosines = (table.encode([q['rows'] for q in data['queries']]) @ table.encode(data['tools']).T).numpy()
        sources = np.array(data['sources'])
        items = []
        for query, row in zip(data['queries'], cosines):
            x, slots = features(query, row, sources)
            same = dict(query['same'])
            good = np.array([same.get(int(s), int(s)) in query['relevant'] for s in slots])
            items.append((x, slots, good, query))
        sets.append((data['name'], items))
    return sets


def score_set(items, rank):
    return 100 * sum(ndcg([int(s) for s in slots[np.argsort(-rank(x), kind='stable')[:30]]], q) for x, slots, good, q in items) / len(items)


class Ranker(torch.nn.Module):
    def __init__(self, columns, hidden):
        super().__init__()
        self.columns = columns
        self.linear = torch.nn.Linear(len(columns), 1, bias=False)
        torch.nn.init.zeros_(self.linear.weight)
        with torch.no_grad():
            self.linear.weight[0, columns.index(0)] = 10.0
            self.linear.weight[0, columns.index(2)] = 2.0
        self.hidden = torch.nn.Sequential(torch.nn.Linear(len(columns), hidden), torch.nn.Tanh(), torch.nn.Linear(hidden, 1, bias=False)) if hidden else None

    def forward(self, x):
        x = x[..., self.columns]
        y = self.linear(x).squeeze(-1)
        return y + self.hidden(x).squeeze(-1) if self.hidden else y

    def rank(self, x):
        with torch.no_grad():
            return self(torch.from_numpy(x).float()).numpy()


def fit(sets, columns, hidden, decay, steps=400, seed=1):
    torch.manual_seed(seed)
    lists = [(x, good, 1 / math.sqrt(len(items))) for _, items in sets for x, _, good, _ in items if good.any() and not good.all()]
    longest = max(len(x) for x, _, _ in lists)
    X = torch.zeros(len(lists), longest, len(NAMES))
    G = torch.zeros(len(lists), longest, dtype=torch.bool)
    M = torch.zeros(len(lists), longest, dtype=torch.bool)
    for i, (x, good, _) in enumerate(lists):
        X[i, :len(x)], G[i, :len(x)], M[i, :len(x)] = torch.from_numpy(x).float(), torch.from_numpy(good), True
    W = torch.tensor([w for _, _, w in lists])
    W = W / W.mean()
    model = Ranker(columns, hidden)
    anchor = model.linear.weight.detach().clone()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(steps):
        logits = model(X).masked_fill(~M, -1e4)
        gain = torch.logsumexp(logits.masked_fill(~G, -1e4), 1) - torch.logsumexp(logits, 1)
        loss = -(gain * W).mean() + decay * ((model.linear.weight - anchor) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--table', required=True)
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', default='')
    args = parser.parse_args()
    table = PackedTable(args.table)
    folder = os.path.join(args.data, 'candidates')
    dev, train = read_sets(table, folder, 'dev-'), read_sets(table, folder, 'train-')
    report('lexical', dev, lambda x: x[:, 0])
    report('words', dev, lambda x: x[:, 1])
    report('cosine', dev, lambda x: x[:, 2])
    for share in (0.1, 0.15, 0.2):
        report(f'+{share}', dev, lambda x: x[:, 0] + share * x[:, 2])
    groups = {'basic': [0, 2], 'match': [0, 1, 2, 3, 4], 'query': [0, 2, 6, 7, 8, 11], 'vote': [0, 2, 5], 'all': list(range(12)), 'noratio': [0, 1, 2, 3, 4, 5, 6, 7, 8, 11]}
    for name, columns in groups.items():
        for decay in (0.0, 0.003):
            model = fit(train, columns, 0, decay)
            report(f'train {name} d{decay}', dev, model.rank)
        print('   ', dict(zip([NAMES[c] for c in columns], [round(v, 2) for v in model.linear.weight[0].tolist()])))
        loso = {}
        for held in dev:
            model = fit([s for s in dev if s[0] != held[0] and held[0].split('-')[1][:7] != s[0].split('-')[1][:7]], columns, 0, 0.003)
            loso[held[0]] = score_set(held[1], model.rank)
        print(f'loso {name}: {sum(loso.values()) / len(loso):.2f} ' + ' '.join(f'{k[4:]} {v:.1f}' for k, v in loso.items()), flush=True)


def report(name, sets, rank):
    values = [(n, score_set(items, rank)) for n, items in sets]
    print(f'{name}: {sum(v for _, v in values) / len(values):.2f} ' + ' '.join(f'{n[4:]} {v:.1f}' for n, v in values), flush=True)


if __name__ == '__main__':
    main()
