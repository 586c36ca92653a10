export interface SseFields {
  readonly event?: string | undefined
  readonly id?: string | undefined
}

/** One event as it goes on the wire. Line ends inside the data become several `data` lines, as the format wants. */
export const sseText = (data: string, fields: SseFields = {}): string => {
  const head = `${fields.event ? `event: ${oneLine(fields.event)}\n` : ''}${fields.id ? `id: ${oneLine(fields.id)}\n` : ''}`
  const body = /[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/).join('\ndata: ') : data
  return `${head}data: ${body}\n\n`
}

const dataPrefix = Buffer.from('data: ')
const eventEnd = Buffer.from('\n\n')

/** The same for prepared JSON bytes, which hold no line ends. */
export const sseBytes = (json: Buffer): Buffer => Buffer.concat([dataPrefix, json, eventEnd])

/** Where the reader stands, without an event: a block that has no data only sets its `Last-Event-ID`. */
export const ssePosition = (id: string): string => `id: ${oneLine(id)}\n\n`

/** A comment keeps proxies from closing a stream that has nothing to say. */
export const sseComment = (text = ''): string => `: ${oneLine(text)}\n\n`

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')
