#!/usr/bin/env python3
"""Trains the table of the built-in search model, or its contender, a small encoder.

    python3 training/train.py --data .train-data --out OUT [--variant static] [--seconds 150 | --steps N] [--seed 1]

Reads what prepare.mjs wrote. Runs on a GPU where there is one and, slower, on a CPU. With --steps the same seed on the same
machine gives the same file: all algorithms are deterministic. --dev says how variants do on development sets, if they are
there; they are never trained on.
"""
import argparse
import glob
import gzip
import hashlib
import json
import math
import os
import struct
import time

os.environ.setdefault('CUBLAS_WORKSPACE_CONFIG', ':4096:8')
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from measure import measure_sets

PARTS = 6  # name, source, description, parameter, more; query
QUERY = 5
QUERY_LENGTH, TOOL_LENGTH = 32, 80


def read(folder, name, dtype):
    with gzip.open(os.path.join(folder, name), 'rb') as f:
        return torch.from_numpy(np.frombuffer(f.read(), dtype=dtype).astype(np.int64))


class Text:
    """All texts as rows of the table, one after the other."""

    def __init__(self, folder, device):
        self.starts = read(folder, 'starts.u32.gz', np.uint32).to(device)
        self.rows = read(folder, 'rows.u16.gz', np.uint16).to(torch.int32).to(device)
        self.parts = read(folder, 'parts.u8.gz', np.uint8).to(torch.uint8).to(device)
        self.weights = (read(folder, 'weights.u8.gz', np.uint8).float() / 128).to(device)

    def batch(self, numbers, length):
        """Rows, parts and weights, one text a line, shorter ones padded with rows that weigh nothing."""
        start = self.starts[numbers]
        count = (self.starts[numbers + 1] - start).clamp(max=length)
        place = torch.arange(length, device=start.device)
        mask = place[None, :] < count[:, None]
        at = (start[:, None] + place[None, :]).clamp(max=self.rows.numel() - 1)
        return self.rows[at].long(), self.parts[at].long(), self.weights[at] * mask


class Table(nn.Module):
    """A vector per row, a weight per row for queries and one for tools, a weight per part of a tool."""

    def __init__(self, rows, dim):
        super().__init__()
        self.vectors = nn.Embedding(rows, dim)
        nn.init.normal_(self.vectors.weight, std=0.05)
        self.row_weights = nn.Embedding(rows, 2)
        nn.init.constant_(self.row_weights.weight, math.log(math.expm1(1.0)))
        self.part_weights = nn.Embedding(PARTS, 1)
        with torch.no_grad():
            self.part_weights.weight.copy_(torch.log(torch.tensor([[1.5], [0.6], [1.0], [0.4], [0.6], [1.0]])))
        self.log_scale = nn.Parameter(torch.tensor(math.log(20.0)))

    def weights(self, rows, parts, weights):
        both = F.softplus(self.row_weights(rows))
        own = torch.where(parts == QUERY, both[..., 0], both[..., 1])
        return weights * own * self.part_weights(parts).squeeze(-1).exp()

    def forward(self, rows, parts, weights, drop=0.0):
        if rows.device.type == 'cpu':
            return self.sum_given(rows, parts, weights, drop)
        weights = self.weights(rows, parts, weights)
        if drop > 0:
            weights = weights * (torch.rand_like(weights) > drop)
        return torch.einsum('blh,bl->bh', self.vectors(rows), weights)

    def sum_given(self, rows, parts, weights, drop):
        """The same without touching what is padded or dropped, which is most: a CPU feels that."""
        given = weights > 0
        if drop > 0:
            given = given & (torch.rand_like(weights) > drop)
        counts = given.sum(1)
        offsets = counts.cumsum(0) - counts
        rows = rows[given]
        return F.embedding_bag(rows, self.vectors.weight, offsets, mode='sum', per_sample_weights=self.weights(rows, parts[given], weights[given]))


class Encoder(Table):
    """The table with attention between its rows: words see each other before they are summed."""

    def __init__(self, rows, dim, layers=3, heads=4):
        super().__init__(rows, dim)
        self.places = nn.Embedding(TOOL_LENGTH, dim)
        self.part_vectors = nn.Embedding(PARTS, dim)
        for embedding in (self.places, self.part_vectors):
            nn.init.normal_(embedding.weight, std=0.01)
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout=0.0, activation='gelu', batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.out = nn.Linear(dim, dim)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, rows, parts, weights, drop=0.0):
        given = weights > 0
        weights = self.weights(rows, parts, weights)
        if drop > 0:
            keep = torch.rand_like(weights) > drop
            weights, given = weights * keep, given & keep
        own = self.vectors(rows)
        x = own * 4 + self.places.weight[: rows.shape[1]] + self.part_vectors(parts)
        blocked = torch.zeros_like(weights).masked_fill(~given, -1e4)[:, None, None, :]
        heads = self.layers.layers[0].self_attn.num_heads
        blocked = blocked.expand(-1, heads, rows.shape[1], -1).reshape(-1, rows.shape[1], rows.shape[1])
        x = own + self.out(self.layers(x, mask=blocked))
        return torch.einsum('blh,bl->bh', x, weights)


class Coverage:
    """About what matching words would say, so that the table learns what they do not."""

    PART = [1.0, 0.8, 0.6, 0.5, 0.3, 1.0]

    def __init__(self, text, rows):
        self.rows = rows
        seen = torch.bincount(text.rows.cpu().long(), minlength=rows).float()
        self.rarity = torch.log(1 + len(text.starts) / (1 + seen)).to(text.rows.device)
        self.parts = torch.tensor(self.PART, device=text.rows.device)

    def bag(self, rows, parts, weights):
        bag = torch.zeros(len(rows) * self.rows, device=rows.device)
        flat = (torch.arange(len(rows), device=rows.device)[:, None] * self.rows + rows).flatten()
        bag.index_put_((flat,), (self.parts[parts] * (weights > 0)).flatten(), accumulate=True)
        return bag.view(len(rows), self.rows)

    def __call__(self, left, right):
        asked = self.bag(*left).clamp(max=1) * self.rarity
        said = self.bag(*right)
        said = said / (said + 0.6)
        return (asked.bfloat16() @ said.bfloat16().T).float() / asked.sum(1, keepdim=True).clamp(min=1e-6)


class SmallTalk:
    """Strews words of small talk into some queries, so that chance company does not lend them a meaning."""

    def __init__(self, rows, share, most, device):
        self.rows, self.share, self.most = torch.tensor(rows, device=device), share, most

    def __call__(self, rows, parts, weights):
        if self.share == 0 or len(self.rows) == 0:
            return rows, parts, weights
        shape, device = (len(rows), self.most), rows.device
        added = self.rows[torch.randint(len(self.rows), shape, device=device)]
        count = torch.randint(1, self.most + 1, (len(rows), 1), device=device) * (torch.rand(len(rows), 1, device=device) < self.share)
        usual = weights.sum(1, keepdim=True) / (weights > 0).sum(1, keepdim=True).clamp(min=1)
        heavy = usual * (torch.arange(self.most, device=device)[None, :] < count)
        return torch.cat([rows, added], 1), torch.cat([parts, torch.full(shape, QUERY, device=device)], 1), torch.cat([weights, heavy], 1)


def similarity(model, left, right, dim):
    return F.normalize(left[:, :dim], dim=-1, eps=1e-6) @ F.normalize(right[:, :dim], dim=-1, eps=1e-6).T * model.log_scale.exp().clamp(max=80)


class Batches:
    """Three kinds of batches: one group (what is alike must be told apart), all groups, neighbours of one server."""

    def __init__(self, args, folder, device, generator, without=()):
        self.left = read(folder, 'left.u32.gz', np.uint32).to(device)
        self.right = read(folder, 'right.u32.gz', np.uint32).to(device)
        self.key = read(folder, 'key.u32.gz', np.uint32).to(device)
        group = read(folder, 'group.u16.gz', np.uint16)
        held = read(folder, 'held.u8.gz', np.uint8)
        names = json.load(open(os.path.join(folder, 'groups.json'), encoding='utf8'))
        self.generator, self.device = generator, device
        members = [(name, torch.nonzero((group == i) & (held == 0)).squeeze(1)) for i, name in enumerate(names)]
        self.members = [(name, m) for name, m in members if len(m) >= 64 and name.split('|')[0] not in without]
        boost = {'needs': args.by_hand * 3, 'topics': args.by_hand, 'synonyms': args.by_hand * 0.7, 'intent': 2.0, 'pair': 1.5, 'lexicon': 1.0, 'parallel': 1.0}
        size = torch.tensor([len(m) ** 0.5 * boost.get(name.split('|')[0], 0.7) for name, m in self.members])
        self.chance = size / size.sum()
        self.operations = torch.cat([m for name, m in self.members if name.split('|')[0] in ('title', 'name', 'text')])

    def pick(self, most):
        return torch.randint(most, (), generator=self.generator).item()

    def draw(self, step, size):
        if step % 3 == 0:
            group = self.members[torch.multinomial(self.chance, 1, generator=self.generator).item()][1]
            return self.of(group, min(size, len(group)))
        if step % 3 == 1:
            counts = torch.multinomial(self.chance, size, replacement=True, generator=self.generator).bincount(minlength=len(self.members))
            return torch.cat([self.of(m, n.item()) for (_, m), n in zip(self.members, counts) if n > 0])
        starts = torch.randint(max(1, len(self.operations) - 64), (size // 64,), generator=self.generator)
        return self.operations[(starts[:, None] + torch.arange(64)[None, :]).flatten().clamp(max=len(self.operations) - 1)]

    def of(self, group, size):
        return group[torch.randint(len(group), (size,), generator=self.generator)]


class Teacher:
    """Pairs of one language and how alike a pretrained encoder finds them, all with all; teacher.mjs wrote them."""

    def __init__(self, folder, device, generator):
        self.languages, self.generator, self.device = [], generator, device
        for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
            read = lambda name, dtype: torch.from_numpy(np.fromfile(f'{path[:-5]}.{name}', dtype).astype(np.int64))
            width = json.load(open(path, encoding='utf8'))['width']
            vectors = torch.from_numpy(np.fromfile(f'{path[:-5]}.vectors.i8', np.int8).reshape(-1, width)).to(device).float()
            numbers = read('numbers.u32', np.uint32).to(device)
            self.languages.append((numbers, F.normalize(vectors, dim=-1), read('left.u32', np.uint32), read('right.u32', np.uint32)))

    def draw(self, turn, size):
        numbers, vectors, left, right = self.languages[turn % len(self.languages)]
        picked = torch.randint(len(left), (min(size, len(left)),), generator=self.generator)
        left, right = left[picked].to(self.device), right[picked].to(self.device)
        return numbers[left], numbers[right], vectors[left] @ vectors[right].T


def taught(args, model, text, teacher, turn, half):
    """The loss on a batch of the teacher's: what belongs together, and how the teacher orders all the rest."""
    asked, said, alike = teacher.draw(turn, args.batch // 2)
    left = model(*text.batch(asked, QUERY_LENGTH), drop=args.drop).float()
    right = model(*text.batch(said, TOOL_LENGTH), drop=args.drop).float()
    same = (asked[:, None] == asked[None, :]) | (said[:, None] == said[None, :])
    same.fill_diagonal_(False)
    target = torch.arange(len(left), device=left.device)
    loss = 0
    for dim in half:
        logits = similarity(model, left, right, dim)
        for own, theirs, masked in ((logits, alike, same), (logits.T, alike.T, same.T)):
            hard = F.cross_entropy(own.masked_fill(masked, -1e4), target)
            soft = -(F.softmax(theirs / args.warmth, 1) * F.log_softmax(own, 1)).sum(1).mean() if args.teach else 0
            loss = loss + ((1 - args.teach) * hard + args.teach * soft) / 2 / len(half)
    return loss


def train(args, device):
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)
    torch.backends.cuda.matmul.allow_tf32 = True
    generator = torch.Generator().manual_seed(args.seed)
    vocabulary = json.load(open(os.path.join(args.data, 'vocabulary.json'), encoding='utf8'))
    rows = len(vocabulary['terms']) + vocabulary['pieces']
    text, batches = Text(args.data, device), Batches(args, args.data, device, generator, set(args.without.split(',')))
    teacher = Teacher(args.teacher, device, generator) if args.teacher else None
    talk = SmallTalk(vocabulary['smallTalk'], args.talk, 6, device)
    coverage = Coverage(text, rows) if args.residual else None
    model = (Encoder if args.variant == 'encoder' else Table)(rows, args.dim).to(device)
    if args.begin:
        begin_from(model, vocabulary, args.begin)
    table = [p for n, p in model.named_parameters() if n.startswith(('vectors', 'row_weights'))]
    rest = [p for n, p in model.named_parameters() if not n.startswith(('vectors', 'row_weights'))]
    encoder = args.variant == 'encoder'
    optimiser = torch.optim.Adam([{'params': table, 'lr': args.lr}, {'params': rest, 'lr': 5e-4 if encoder else 2e-3}], betas=(0.9, 0.98), fused=device == 'cpu')
    base = [g['lr'] for g in optimiser.param_groups]
    began, step, done, half = time.time(), 0, 0.0, sorted({args.dim} | {int(d) for d in args.also.split(',') if d and int(d) < args.dim})
    while done < 1:
        done = (time.time() - began) / args.seconds if args.seconds else step / args.steps
        for group, lr in zip(optimiser.param_groups, base):
            group['lr'] = lr * min(1, (step + 1) / 200) * max(0.01, 1 - done)
        if teacher and step % args.every == args.every - 1:
            step_with(optimiser, taught(args, model, text, teacher, step // args.every, half))
            step += 1
            continue
        picked = batches.draw(step, args.batch).to(device)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=encoder and device == 'cuda'):
            asked = text.batch(batches.left[picked], QUERY_LENGTH)
            said = text.batch(batches.right[picked], 48 if encoder else TOOL_LENGTH)
            left, right = model(*talk(*asked), drop=args.drop).float(), model(*said, drop=args.drop).float()
        if args.mix > 0:
            # Some queries ask for two things at once; each must still be found.
            share = args.mix * (torch.rand(len(left), 1, device=device) < 0.3)
            left = left + share * F.normalize(left, dim=-1).roll(1, 0) * left.norm(dim=-1, keepdim=True)
        key, same_right = batches.key[picked], batches.right[picked]
        same = (key[:, None] == key[None, :]) | (same_right[:, None] == same_right[None, :]) | (batches.left[picked][:, None] == batches.left[picked][None, :])
        same.fill_diagonal_(False)
        # Every other batch: the table must also do well alone.
        known = args.residual * coverage(asked, said) if coverage and step % 2 else 0
        target = torch.arange(len(left), device=device)
        loss = 0
        for dim in half:
            logits = (similarity(model, left, right, dim) + known).masked_fill(same, -1e4)
            loss = loss + (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2 / len(half)
        step_with(optimiser, loss)
        if step % args.tell == 0:
            print(f'{args.name}: step {step} loss {loss.item():.3f} scale {model.log_scale.exp().item():.1f} {time.time() - began:.0f} s', flush=True)
        step += 1
    print(f'{args.name}: {step} steps, {time.time() - began:.0f} s, {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M parameters', flush=True)
    return model, vocabulary


def step_with(optimiser, loss):
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    optimiser.step()


def begin_from(model, vocabulary, path):
    """Takes over what an earlier table knows of the rows that both have; the others keep their random beginning."""
    content = open(path, 'rb').read()
    if hashlib.sha256(content[40:]).digest() != content[8:40]:
        raise SystemExit(f'{path} is damaged')
    dim, terms, pieces, size = struct.unpack_from('<IIII', content, 40)
    rows, own = terms + pieces, model.vectors.weight.shape[1]
    scales = np.frombuffer(content, '<f4', 2 * rows, 80).reshape(2, rows).astype(np.float64)
    values = np.frombuffer(content, np.int8, rows * dim, 80 + 8 * rows).reshape(rows, dim).astype(np.float64)
    known = {term: row for row, term in enumerate(content[len(content) - size:].decode('utf8').split('\n'))}
    pairs = [(row, known[term]) for row, term in enumerate(vocabulary['terms']) if term in known]
    if pieces == vocabulary['pieces']:
        pairs += [(len(vocabulary['terms']) + i, terms + i) for i in range(pieces)]
    new, old = (torch.tensor(side) for side in zip(*pairs))
    # Only the product of direction and weight is stored: lengths are set so that weights lie around one, where training began.
    length = np.sqrt((values ** 2).sum(1)) + 1e-9
    usual = np.median(length * scales.mean(0))
    weights = np.clip(length * scales / usual, 1e-3, 20)
    with torch.no_grad():
        model.vectors.weight[new, :dim] = torch.tensor(values / length[:, None] * usual)[old, :own].float()
        if own > dim:
            model.vectors.weight[new, dim:] = 0.001 * torch.randn(len(new), own - dim)
        model.row_weights.weight[new] = torch.log(torch.expm1(torch.tensor(weights.T)))[old].float()
        model.part_weights.weight.copy_(torch.tensor(np.frombuffer(content, '<f4', PARTS, 56).copy()).log()[:, None])
        model.log_scale.fill_(math.log(13.5))
    print(f'begun from {os.path.basename(path)}: {len(pairs)} of {len(vocabulary["terms"]) + vocabulary["pieces"]} rows', flush=True)


def pack(model, vocabulary, dim):
    """The file the product reads; src/search/model/table-file.ts describes it."""
    vectors = model.vectors.weight.detach().float().cpu().numpy()[:, :dim].astype(np.float64)
    weights = F.softplus(model.row_weights.weight.detach().float().cpu()).numpy().astype(np.float64)
    parts = model.part_weights.weight.detach().float().cpu().exp().numpy().astype('<f4').tobytes()
    step = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
    # In steps of four, six bits of eight: the package packs two megabytes smaller, and the means of `npm run eval` stay.
    values = np.clip(4 * np.round(vectors / (4 * step[:, None])), -124, 124).astype(np.int8)
    scales = (weights * step[:, None]).astype('<f4')
    terms = '\n'.join(vocabulary['terms']).encode('utf8')
    body = struct.pack('<IIII', dim, len(vocabulary['terms']), vocabulary['pieces'], len(terms)) + parts + scales[:, 0].tobytes() + scales[:, 1].tobytes() + values.tobytes() + terms
    return b'PEGT\x01\x00\x00\x00' + hashlib.sha256(body).digest() + body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--name', default='table')
    parser.add_argument('--variant', choices=['static', 'encoder'], default='static')
    parser.add_argument('--dim', type=int, default=304)
    parser.add_argument('--also', default='128,192', help='lengths at which the first dimensions must serve alone')
    parser.add_argument('--keep', type=int, default=192, help='dimensions to write, the first ones; 0 for all')
    parser.add_argument('--batch', type=int, default=8192)
    parser.add_argument('--lr', type=float, default=5e-3)
    parser.add_argument('--drop', type=float, default=0.5)
    parser.add_argument('--mix', type=float, default=0.7)
    parser.add_argument('--talk', type=float, default=0.4, help='share of queries into which small talk is strewn')
    parser.add_argument('--residual', type=float, default=0.0, help='weight of matching words beside the table while training')
    parser.add_argument('--by-hand', type=float, default=4.0, help='how often hand-written data come up')
    parser.add_argument('--without', default='', help='kinds of pairs to leave out, for ablations')
    parser.add_argument('--begin', default='', help='an earlier table to go on from')
    parser.add_argument('--teacher', default='', help='folder with what a pretrained encoder thinks of a sample (teacher.mjs)')
    parser.add_argument('--teach', type=float, default=0.5, help='share of its opinion in the loss of its batches; 0 is the sample without it')
    parser.add_argument('--every', type=int, default=4, help='each so many steps one is a batch of its')
    parser.add_argument('--warmth', type=float, default=0.03, help='of its softmax over cosines')
    parser.add_argument('--seconds', type=float, default=0)
    parser.add_argument('--steps', type=int, default=4500)
    parser.add_argument('--tell', type=int, default=500, help='steps between lines of progress')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--dev', action='store_true')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    model, vocabulary = train(args, device)
    model.eval()
    if args.variant == 'static':
        print(f'{args.name}: all {args.dim} dimensions sha256 {hashlib.sha256(pack(model, vocabulary, args.dim)).hexdigest()[:16]}', flush=True)
        content = pack(model, vocabulary, args.keep or args.dim)
        with open(os.path.join(args.out, f'{args.name}.bin'), 'wb') as f:
            f.write(content)
        print(f'{args.name}: {len(content) / 1e6:.2f} MB sha256 {hashlib.sha256(content).hexdigest()[:16]}', flush=True)
    if args.dev:
        dims = sorted({args.dim} | {d for d in (128, 192) if d < args.dim})
        measure_sets(model, args.name, os.path.join(args.data, 'candidates'), device, dims if args.variant == 'static' else [args.dim])


if __name__ == '__main__':
    main()
