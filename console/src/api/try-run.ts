import type { CallAnswer, CallEvents, CallOrder } from '../../../src/faces/admin/try-tool.js'
import { request, segment } from './client.js'
import { readEvents } from './stream.js'

/** Calls a tool, and tells of its progress. Whoever aborts cancels it: the gateway hears that nobody waits any more. */
export const callTool = async (
  id: string,
  order: CallOrder,
  signal: AbortSignal,
  onProgress: (progress: CallEvents['progress']) => void,
): Promise<CallAnswer> => {
  const headers = { Accept: 'text/event-stream' }
  const response = await request('POST', `/tools/${segment(id)}/call`, { body: order, signal, headers })
  let answer: CallAnswer | undefined
  await readEvents(response, ({ event, data }) => {
    if (event === 'progress') onProgress(JSON.parse(data))
    else if (event === 'answer') answer = JSON.parse(data)
  })
  if (!answer) throw new Error('The connection to the gateway broke off; whether the tool has run is not known.')
  return answer
}
