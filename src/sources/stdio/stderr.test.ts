import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { createRedactor } from './redact.js'
import { readStderr } from './stderr.js'

const setUp = (linesPerSecond = 3, isStarted = true) => {
  const logged: string[] = []
  const debugged: string[] = []
  const logger: Logger = {
    log: (level, message) => void (level === 'debug' ? debugged : logged).push(message),
    child: () => logger,
  }
  const clock = new VirtualClock()
  const stream = new PassThrough()
  const redactor = createRedactor({ env: { API_TOKEN: 'canary-123456' } })
  const stderr = readStderr(stream, { clock, logger, redactor, ringBytes: 4096, linesPerSecond, pid: 1 })
  if (isStarted) stderr.started()
  const write = async (text: string | Buffer) => {
    stream.write(text)
    await settle()
  }
  return { logged, debugged, clock, stderr, write }
}

describe('stderr', () => {
  it('of a start that succeeds is logged when it has, of one that fails only for who debugs (U8)', async () => {
    const good = setUp(3, false)
    await good.write('listening\n')
    expect(good.logged).toEqual([])
    good.stderr.started()
    await good.write('more\n')
    expect(good.logged).toEqual(['listening', 'more'])
    const bad = setUp(3, false)
    await bad.write('Traceback\n  in main\nAttributeError: no')
    bad.stderr.end()
    expect(bad.logged).toEqual([])
    expect(bad.debugged).toEqual(['Traceback', '  in main', 'AttributeError: no'])
    expect(bad.stderr.tail(100)).toContain('AttributeError: no')
  })

  it('logs whole lines up to the limit of each second and then how many it left out', async () => {
    const { logged, clock, write } = setUp()
    await write('a\nb\nc\nd\ne\n')
    expect(logged).toEqual(['a', 'b', 'c'])
    await clock.advance(1000)
    await write('f\n')
    expect(logged).toEqual(['a', 'b', 'c', '2 lines suppressed', 'f'])
  })

  it('never shows the rest of a line whose beginning it left out: it may begin inside a secret', async () => {
    const { logged, clock, write } = setUp()
    await write('a\nb\nc\nd\ntoken is canary-12')
    await clock.advance(1000)
    await write('3456\nnext\n')
    await clock.advance(1000)
    expect(logged).toEqual(['a', 'b', 'c', '1 lines suppressed', 'next', '1 lines suppressed'])
  })

  it('logs an unfinished last line and what was held back when the child ends', async () => {
    const { logged, clock, stderr, write } = setUp()
    await write('a\nb\nlast words')
    stderr.end()
    expect(logged).toEqual(['a', 'b', 'last words'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('keeps a tail of whole characters within its bytes, without secrets', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 4, max: 200 }),
        async (text, max) => {
          const { stderr, write } = setUp()
          await write(Buffer.from(`${text}\ncanary-123456 ${text}`))
          const tail = stderr.tail(max)
          expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(max)
          expect(tail).not.toMatch(/canary-123456|^\ufffd/)
        },
      ),
    )
  })
})
