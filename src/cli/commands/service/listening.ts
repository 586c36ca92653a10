import { type Clock, systemClock } from '../../../model/clock.js'
import { readRecord } from '../../../serving/running/record.js'
import type { ManagerState, ServiceManager } from './manager.js'

const pollMs = 100
const mostMs = 10_000

/** A manager is content when the program was started; people are when it listens, or want to know that it ended. */
export const untilListening = async (
  manager: ServiceManager,
  dataFolder: string,
  clock: Clock = systemClock,
): Promise<{ readonly state: ManagerState; readonly url: string | undefined }> => {
  const end = clock.now() + mostMs
  for (;;) {
    const state = await manager.state()
    const looked = await readRecord(dataFolder)
    const url =
      looked.state === 'found' && looked.record.pid === (state.pid ?? looked.record.pid) ? looked.record.url : undefined
    if (!state.isRunning || url !== undefined || clock.now() >= end)
      return { state, url: state.isRunning ? url : undefined }
    await new Promise<void>((resolve) => void clock.after(pollMs, resolve))
  }
}
