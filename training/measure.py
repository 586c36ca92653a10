"""How a model does on the development sets: alone, and with the lexical score beside it."""
import glob
import gzip
import json
import math
import os

import numpy as np
import torch
import torch.nn.functional as F


def load_set(path):
    with gzip.open(path, 'rt', encoding='utf8') as f:
        return json.load(f)


def pad(texts, device):
    length = max(1, max(len(text) // 3 for text in texts))
    rows = np.zeros((len(texts), length), np.int64)
    parts = np.zeros((len(texts), length), np.int64)
    weights = np.zeros((len(texts), length), np.float32)
    for i, text in enumerate(texts):
        n = len(text) // 3
        rows[i, :n], parts[i, :n], weights[i, :n] = text[0::3], text[1::3], text[2::3]
    return torch.from_numpy(rows).to(device), torch.from_numpy(parts).to(device), torch.from_numpy(weights).to(device)


def encode(model, texts, device, most=80):
    out = []
    for i in range(0, len(texts), 512):
        rows, parts, weights = pad(texts[i:i + 512], device)
        out.append(model(rows[:, :most], parts[:, :most], weights[:, :most]).float())
    return torch.cat(out)


def ndcg(order, query):
    """nDCG@10 with binary gains; a hit on an equivalent tool counts once."""
    same = dict(query['same'])
    top = []
    for slot in order:
        slot = same.get(slot, slot)
        if slot not in top:
            top.append(slot)
        if len(top) == 10:
            break
    wanted = set(query['relevant'])
    gain = sum(1 / math.log2(i + 2) for i, slot in enumerate(top) if slot in wanted)
    return gain / sum(1 / math.log2(i + 2) for i in range(min(10, query['wanted'])))


def measure_sets(model, name, folder, device, dims, prefix='dev-'):
    means = {}
    for path in sorted(glob.glob(os.path.join(folder, prefix + '*.json.gz'))):
        data = load_set(path)
        with torch.no_grad():
            tools = encode(model, data['tools'], device)
            queries = encode(model, [q['rows'] for q in data['queries']], device)
        for dim in dims:
            cosines = (F.normalize(queries[:, :dim], dim=-1, eps=1e-6) @ F.normalize(tools[:, :dim], dim=-1, eps=1e-6).T).cpu().numpy()
            line = scores(data, cosines)
            print(f'{name} {dim} {data["name"]}: ' + ' '.join(f'{k} {v:.1f}' for k, v in line.items()), flush=True)
            for key, value in line.items():
                means.setdefault((dim, key), []).append(value)
    for dim in dims:
        print(f'{name} {dim} MEAN: ' + ' '.join(f'{k} {sum(v) / len(v):.2f}' for (d, k), v in means.items() if d == dim), flush=True)


def scores(data, cosines):
    sums = {}
    for query, row in zip(data['queries'], cosines):
        lexical = np.zeros(len(row))
        words = np.zeros(len(row))
        for slot, own, related, *_ in query['candidates']:
            lexical[slot], words[slot] = related, own
        variants = {'words': words, 'related': lexical, 'table': row}
        for share in (0.15, 0.3, 0.5):
            variants[f'+{share}'] = lexical + share * np.maximum(0, row)
        for key, value in variants.items():
            order = np.argsort(-value, kind='stable')[:30]
            sums[key] = sums.get(key, 0) + ndcg([int(slot) for slot in order if value[slot] > 0], query)
    return {key: 100 * value / len(data['queries']) for key, value in sums.items()}
