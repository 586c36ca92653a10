/**
 * A two-way stream of lines, one message each: a child process's pipes, or two ends in one process. Whoever owns the
 * stream bounds it: lines by `createLineSplitter`, unsent bytes by a queue of its own.
 */
export interface LineChannel {
  /** Queues one line, without its end. Throws when the queue is full or the channel is closed; then nothing was sent. */
  send(line: string | Buffer): void
  /** One listener; lines that came before it are kept. */
  onLine(listener: (line: Buffer | string) => void): void
  /** Called once, with the reason when it was not asked for. */
  onClose(listener: (reason: Error | undefined) => void): void
  close(): void | Promise<void>
}
