import { closeSync, openSync, writeSync } from 'node:fs'
import { appendingTo } from './appending.js'

/** Where lines go. `write` throws, or calls `onError` later, when a line is lost. */
export interface Sink {
  readonly name: string
  write(line: string): void
  onError(listener: (error: NodeJS.ErrnoException) => void): void
}

// What a reader that stopped may leave waiting in our memory.
const maxWaitingBytes = 1024 * 1024

/**
 * Standard error, never standard output, which carries MCP. Node's own stream: it does not block on a pipe that nobody
 * reads, where a write of ours would stop the whole process, in a worker thread even its exit.
 */
export const createStderrSink = (): Sink => ({
  name: 'stderr',
  write: (line) => {
    if (process.stderr.writableLength > maxWaitingBytes) throw fault('ENOBUFS')
    process.stderr.write(line)
  },
  // One listener per logger; without any, a closed pipe would end the process.
  onError: (listener) => void process.stderr.on('error', listener),
})

/** A stream the caller gave us. */
export const createWriterSink = (destination: { write(text: string): unknown }): Sink => ({
  name: 'destination',
  write: (line) => void destination.write(line),
  onError: (listener) => {
    if ('on' in destination && typeof destination.on === 'function') destination.on('error', listener)
  },
})

/**
 * Appends to a file, each line with one synchronous write, so that the last words before a crash are there. Not
 * blocking: a pipe without a reader fails instead of holding us. Opened at the first line, and again after a failure.
 */
export const createFileSink = (path: string): Sink => {
  let file: number | undefined
  return {
    name: 'file',
    write: (line) => {
      try {
        file ??= openSync(path, appendingTo(path, 'never waits'), 0o600)
        writeSync(file, line)
      } catch (error) {
        if (file !== undefined) closeQuietly(file)
        file = undefined
        throw error
      }
    },
    onError: () => {},
  }
}

const closeQuietly = (file: number): void => {
  try {
    closeSync(file)
  } catch {
    // It failed already; what counts is the first error.
  }
}

const fault = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code })
