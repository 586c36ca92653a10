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
      const response = await request('GET', path, { signal })
      on.state(true)
      waitMs = 500
      await readEvents(response, on.event)
    } catch {
      // Whatever broke it, the answer is the same.
    }
    if (signal.aborted) return
    on.state(false)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, 10_000)
  }
}

export const readEvents = async (response: Response, tell: (event: StreamEvent) => void): Promise<void> => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
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
