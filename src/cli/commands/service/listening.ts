import { readRecord } from '../../../serving/running/record.js'
import type { ManagerState, ServiceManager } from './manager.js'

const pollMs = 100
const mostMs = 10_000

/** A manager is content when the program was started; people are when it listens, or want to know that it ended. */
export const untilListening = async (
  manager: ServiceManager,
  dataFolder: string,
): Promise<{ readonly state: ManagerState; readonly url: string | undefined }> => {
  const end = performance.now() + mostMs
  for (;;) {
    const state = await manager.state()
    const looked = await readRecord(dataFolder)
    const url =
      looked.state === 'found' && looked.record.pid === (state.pid ?? looked.record.pid) ? looked.record.url : undefined
    if (!state.isRunning || url !== undefined || performance.now() >= end)
      return { state, url: state.isRunning ? url : undefined }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
