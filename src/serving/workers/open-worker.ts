import type { LoadedConfig } from '../../config/load.js'
import { type OpenBoardOptions, type OpenedBoard, openBoard } from '../open-board.js'
import { joinParent } from './worker.js'

export interface WorkerStart extends Pick<OpenBoardOptions, 'flags' | 'trust'> {
  readonly loaded: LoadedConfig
}

export interface OpenedWorker {
  readonly board: OpenedBoard
  /** Resolves, with the reason, when the parent says that this one ends. */
  readonly stopped: Promise<string>
}

/** Serves behind the parent's port; undefined where that cannot be, which the parent was told. */
export const openWorker = async (read: () => Promise<WorkerStart>): Promise<OpenedWorker | undefined> => {
  // Code and configuration are read while the parent opens what is stored.
  const starting = read()
  starting.catch(() => {})
  const { part, storage, obey, fail } = await joinParent()
  try {
    const { loaded, flags, trust } = await starting
    const board = await openBoard(loaded, { http: { part }, flags, trust, storage })
    const stopped = new Promise<string>((resolve) =>
      obey({
        drain: async (isAsked) => {
          if (isAsked) board.listener!.asked()
          await board.listener!.drain()
        },
        stop: async () => resolve('stop'),
        metrics: async () => board.metricsPage(),
      }),
    )
    return { board, stopped }
  } catch (error) {
    await fail(error)
    return undefined
  }
}
