#!/usr/bin/env python3
"""Would the order of the best tools learn from what a pretrained encoder thinks of them? Tried near the shipped weights.

    node training/ranking.mjs --teacher models/LANGUAGE     (and without --only, for the development sets)
    python3 training/teach-ranking.py --data .train-data | tee training/log/teach-ranking.txt

What is wanted of the order is a mixture: the tools that the training text says, and a share of how the encoder orders the best 64
(softmax of its cosines at a temperature). Weights start at the shipped ones and are pulled back to them; the action term stays, as
in the trial without a teacher. Development sets only tell.
"""
import argparse
import os
import re

import numpy as np

from ranking import LIKENESS, average, fit, read, show

HERE = os.path.dirname(os.path.abspath(__file__))
SHIPPED = os.path.join(HERE, '../src/search/model/data/ranking-weights.ts')
KEPT = ('lexical', 'action')
NINE = ['acebench-zh', 'bfcl-live', 'livemcp-large', 'livemcpbench', 'livemcpbench-zh', 'mcpproxy-golden', 'mcpproxy-golden-zh', 'metatool', 'stabletoolbench']


def shipped():
    text = open(SHIPPED, encoding='utf8').read()
    return {a or b: float(value) for a, b, value in re.findall(r"^  (?:'([^']+)'|(\w+)): (-?[\d.]+),", text, re.M)}


def wanted(s, folder, share, heat):
    """For each query how much of the chance each tool should have."""
    said = s.gain / np.maximum(s.gain.sum(1, keepdims=True), 1)
    if share == 0:
        return said
    cosines = np.fromfile(os.path.join(folder, f'train-{s.name}.teacher.f32'), np.float32).reshape(s.there.shape)
    logits = np.where(s.there, np.nan_to_num(cosines) / heat, -1e4)
    chance = np.exp(logits - logits.max(1, keepdims=True))
    return (1 - share) * said + share * chance / chance.sum(1, keepdims=True)


def learn(sets, folder, start, share, heat, pull, noise=0.03, seed=1, steps=150, size=96):
    draw = np.random.default_rng(seed)
    terms = [term for term in start if term not in KEPT]
    near = np.array([start[term] for term in terms])
    data = []
    for s in sets:
        kept = s.gain.any(1)
        factors = s.factors()
        columns = np.stack([s.column(term) for term in terms], -1)[kept]
        noisy = np.stack([noise * factors[term] * np.ones(s.there.shape) if term in LIKENESS else np.zeros(s.there.shape) for term in terms], -1)[kept]
        fixed = sum(start[term] * s.column(term) for term in KEPT)
        data.append((fixed[kept], columns, noisy, wanted(s, folder, share, heat)[kept], s.there[kept]))
    return {'action': start['action']} | fit(data, terms, near, pull, draw, steps, size)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    folder = os.path.join(parser.parse_args().data, 'ranking')
    train, dev = read(folder, 'train-'), read(folder, 'dev-')
    start = shipped()
    tell = lambda weights: {s.name: s.ndcg({k: v for k, v in weights.items() if k != 'lexical'}) for s in dev}
    line = lambda label, results: print(f'{label}: nine {average(results, NINE):.2f}, {show(results)}', flush=True)
    line('shipped', tell(start))
    for pull in (4.0, 12.0):
        for share, heat in ((0.0, 1.0), (0.25, 0.05), (0.5, 0.05), (0.5, 0.02), (1.0, 0.05), (1.0, 0.02)):
            draws = [learn(train, folder, start, share, heat, pull, seed=seed) for seed in (1, 2)]
            weights = {term: float(np.mean([draw[term] for draw in draws])) for term in draws[0]}
            each = ' and '.join(f'{average(tell(draw), NINE):.2f}' for draw in draws)
            line(f'pull {pull:g}, teacher {share:g} at {heat:g} (draws {each})', tell(weights))


if __name__ == '__main__':
    main()
