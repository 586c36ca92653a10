import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { Asker, answerOver } from '../../storage/parent/line.js'
import { openParentStorage } from '../../storage/parent/parent-storage.js'
import type { Storage } from '../../storage/storage.js'
import type { Logger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import { type ChannelEnd, lineOver } from './channel.js'
import type { Part } from './part.js'
import type { ParentWork, WorkerWork } from './work.js'

/** What a worker has of its parent. */
export interface WorkerSide {
  readonly part: Part
  /** Undefined where each process opens it by itself. */
  readonly storage: Storage | undefined
  /** From here on the parent's word counts. */
  obey(work: WorkerWork): void
  /** Tells the parent why there is nothing to obey. */
  fail(error: unknown): Promise<void>
}

/** Asks the parent what to do. Rejects where this process is nobody's worker. */
export const joinParent = async (): Promise<WorkerSide> => {
  if (process.send === undefined)
    throw new GatewayError('INTERNAL', say('This process is nobody’s worker.', '此进程不是任何网关的工作进程。'))
  const end = process as unknown as ChannelEnd
  const line = lineOver(end, 'work')
  const parent = new Asker<ParentWork>(line)
  const { number, replica, localKey, isKept, host, port } = await parent.ask('begin')
  return {
    storage: isKept ? await openParentStorage(lineOver(end, 'storage'), systemClock) : undefined,
    part: {
      role: 'worker',
      replica,
      takes: isKept ? 'never' : undefined,
      mark: (logger) => numbered(logger, number),
      localKey,
      open: async (listen, pin) => {
        const listening = await listen({ host, port })
        await parent.ask('serves', listening, { pin })
        return { ...listening, pin }
      },
      changed: (pin) => void parent.ask('changed', { pin }).catch(() => {}),
      onChange: () => {},
      asked: once(() => void parent.ask('asked').catch(() => {})),
      metrics: () => parent.ask('metrics'),
    },
    obey: (work) => answerOver<WorkerWork>(line, work),
    fail: async (error) => {
      const code = isGatewayError(error) ? error.code : 'INTERNAL'
      await parent.ask('failed', { code, message: messageOf(error) }).catch(() => {})
    },
  }
}

const numbered = (logger: Logger, worker: number): Logger => ({
  log: (level, message, meta) => logger.log(level, message, { ...meta, worker }),
  child: (service) => numbered(logger.child(service), worker),
})

const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
