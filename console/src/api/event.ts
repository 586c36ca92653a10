/** One thing that happened, as the stream told it. */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

/** One block of a stream; undefined for comments and what has no data. */
export const parseEvent = (block: string): StreamEvent | undefined => {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7)
    else if (line.startsWith('data: ')) data.push(line.slice(6))
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') }
}
