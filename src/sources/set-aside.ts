import { stat } from 'node:fs/promises'
import { GatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Source } from './source.js'
import type { SourceStatus, Supervised } from './status.js'

export interface SetAsideOptions {
  /** What it would be. */
  readonly kind: string
  /** What is wrong and what to do, for a person. */
  readonly reason: string
  /** `pending`: nothing is wrong with it, somebody has to say yes. Default: `needs-config`. */
  readonly state?: 'needs-config' | 'pending' | undefined
  readonly clock: Clock
  /** Mounts the real one in its place. Without it only another configuration helps. */
  readonly retry?: (() => Promise<void>) | undefined
  /** The file that it hangs on: `retry` is called when that changes. */
  readonly file?: string | undefined
  /** How often the file is looked at. Default 2,000. */
  readonly pollMs?: number | undefined
}

/** Holds the place of a source that cannot be made as it is written, so that its state and reason are seen like any other's (U2). */
export const createSetAsideSource = (options: SetAsideOptions): Source & Supervised => {
  const { kind, reason, retry, state = 'needs-config' } = options
  const status: SourceStatus = Object.freeze({ state, reason, nextRetryAt: undefined })
  const start = async (): Promise<void> => {
    if (!retry) throw setAside(options)
    await retry()
  }
  return {
    kind,
    status,
    onStatus: () => () => {},
    start,
    restart: start,
    stop: async () => {},
    check: async () => false,
    watch: async (onTools, signal) => {
      onTools({ type: 'all', tools: [] })
      if (signal.aborted) return
      const stop = follow(options)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      stop()
    },
    call: () => {
      throw setAside(options)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

const setAside = ({ state, reason }: SetAsideOptions): GatewayError =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    state === 'pending' ? `The source waits for a yes: ${reason}` : `The source needs configuration: ${reason}`,
    { notSent: true },
  )

/** Looks at the file until it is another. A retry that fails puts a new one of us in our place. */
const follow = ({ file, retry, clock, pollMs = 2000 }: SetAsideOptions): (() => void) => {
  if (file === undefined || !retry) return () => {}
  let cancel = () => {}
  let isOver = false
  const look = async (seen: string): Promise<void> => {
    const now = await mark(file)
    if (isOver) return
    if (now !== seen) return void retry().catch(() => {})
    cancel = clock.after(pollMs, () => void look(seen))
  }
  void mark(file).then((seen) => {
    if (!isOver) cancel = clock.after(pollMs, () => void look(seen))
  })
  return () => {
    isOver = true
    cancel()
  }
}

const mark = (file: string): Promise<string> =>
  stat(file).then(
    ({ mtimeMs, ctimeMs, size, ino }) => `${mtimeMs}/${ctimeMs}/${size}/${ino}`,
    () => 'absent',
  )
