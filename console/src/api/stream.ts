import { request } from './client.js'
import { parseEvent, type StreamEvent } from './event.js'

/**
 * Server-sent events by `fetch`, since EventSource does not say why it was refused. Comes back by itself, more slowly each
 * time, until the signal aborts.
 */
export const listen = async (
  path: string,
  on: { event(event: StreamEvent): void; state(connected: boolean): void },
  signal: AbortSignal,
): Promise<void> => {
  let waitMs = 500
  while (!signal.aborted) {
    try {
      const silent = new AbortController()
      const response = await request('GET', path, { signal: AbortSignal.any([signal, silent.signal]) })
      on.state(true)
      waitMs = 500
      await readEvents(response, on.event, () => silent.abort())
    } catch {
      // Whatever broke it, the answer is the same.
    }
    if (signal.aborted) return
    on.state(false)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, 10_000)
  }
}

/** The gateway says something every 15 seconds: who hears nothing for so long is cut off, though nothing told them. */
const silenceMs = 40_000

export const readEvents = async (
  response: Response,
  tell: (event: StreamEvent) => void,
  giveUp: () => void = () => {},
): Promise<void> => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const timer = setTimeout(giveUp, silenceMs)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event) tell(event)
    }
  }
}
