// Whoever is compared takes turns, and is compared with who ran beside it: the machine is not the same from minute to minute.

import { load } from '../gateway/load.mjs'
import { cpuOf } from '../gateway/processes.mjs'
import { median } from '../measure.mjs'

/**
 * The samples of each target, by target: rounds there and back, so that nobody always follows the same one. A target with
 * `rounds` of its own, as peers have, takes part in the first ones only.
 */
export const inTurns = async (targets, rounds, sample) => {
  const samples = new Map(targets.map((target) => [target, []]))
  for (let round = 0; round < rounds; round++)
    for (const target of round % 2 === 0 ? targets : targets.toReversed())
      if (round < (target.rounds ?? rounds)) samples.get(target).push(await sample(target))
  return samples
}

/** The median of the ratios of neighbours in time. */
export const ratioOf = (values, others) => medianOfPairs(values, others, (value, other) => value / other)

/** The median of the differences of neighbours in time. */
export const differenceOf = (values, others) => medianOfPairs(values, others, (value, other) => value - other)

const medianOfPairs = (values, others, join) => {
  const pairs = Math.min(values.length, others.length)
  return median(values.slice(0, pairs).map((value, index) => join(value, others[index])))
}

/**
 * CPU time of the target's own process per call in µs, beside what the callers saw. Not counted are the first `leadMs`: who
 * was idle for some seconds while others ran has closed its connections and collected, and takes twice as much at first.
 * A peer that fails ends nobody's run.
 */
export const sampleCalls = async (target, { leadMs = 200, ms, ...options }) => {
  const run = (forMs) => {
    const loaded = load(target, target.bytes, { expected: target.expected, ms: forMs, ...options })
    return target.rounds === undefined ? loaded : loaded.catch((error) => failed(target, error))
  }
  if (leadMs > 0) await run(leadMs)
  const before = cpuOf(target.pid)
  const result = await run(ms)
  return { ...result, cpu: (cpuOf(target.pid) - before) / result.calls }
}

const failed = ({ what }, { message }) => {
  console.log(`${what}: ${message}`)
  return { calls: Number.NaN }
}

/**
 * So many calls for each, since the compiler counts calls: by time alone, a busy machine would measure whoever has more
 * code while it still runs cold. The time is a bound for who is slow, not for who is cold.
 */
export const warm = async (targets, { calls: enough = 15_000, concurrency = 64, mostMs = 8000 } = {}) => {
  for (const target of targets) {
    // Who takes part in a few rounds only, as peers do, is by far slower and warm by then.
    const endAt = performance.now() + (target.rounds === undefined ? mostMs : mostMs / 3)
    for (let calls = 0; calls < enough && performance.now() < endAt; )
      calls += (await sampleCalls(target, { concurrency, ms: Math.min(1000, mostMs / 4), leadMs: 0 })).calls
  }
}
