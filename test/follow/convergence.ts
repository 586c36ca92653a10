import { systemClock } from '../../src/model/clock.js'
import type { OpenedBoard } from '../../src/serving/open-board.js'
import { ask, clientOf, register } from './replicas.js'

/** Milliseconds from asking for a change at one replica until it is pushed on a stream of another. */
export interface Convergence {
  readonly p50Ms: number
  readonly maxMs: number
  /** The same until the catalog of the other has it. */
  readonly catalogP50Ms: number
}

// What is announced once is announced again a second later at the earliest (F32).
const quietMs = 1100

/** Registers as often as that at one replica and listens at the other. */
export const measureConvergence = async (
  writer: OpenedBoard,
  reader: OpenedBoard,
  rounds: number,
): Promise<Convergence> => {
  const client = await clientOf(reader)
  const pushes: number[] = []
  const catalogs: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const name = `convergence-${round}`
      if (round > 0) await new Promise<void>((resolve) => void systemClock.after(quietMs, resolve, true))
      const pushed = client.changed()
      const begun = performance.now()
      const listed = new Promise<void>((resolve) => {
        const stop = reader.gateway.catalog.onChange(() => {
          stop()
          resolve()
        })
      }).then(() => void catalogs.push(performance.now() - begun))
      await register(writer, name)
      await Promise.all([pushed.then(() => void pushes.push(performance.now() - begun)), listed])
    }
    for (let round = 0; round < rounds; round++)
      await ask(writer, 'unregister_tool', { tool_name: `convergence-${round}` })
  } finally {
    await client.close()
  }
  return { p50Ms: median(pushes), maxMs: Math.max(...pushes), catalogP50Ms: median(catalogs) }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!
