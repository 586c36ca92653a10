import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { createLogRing } from './log-ring.js'

const start = (maxLines?: number) => {
  const passed: string[] = []
  const logger: Logger = { log: (_, message) => void passed.push(message), child: () => logger }
  const clean = (text: string) => text.replaceAll('hush', '***')
  const ring = createLogRing({ logger, clean, clock: new VirtualClock(), maxLines })
  return { ring, passed }
}

describe('the log ring', () => {
  it('passes every line on and keeps what is worth showing, without secrets (T23)', () => {
    const { ring, passed } = start()
    ring.logger.log('debug', 'detail')
    ring.logger.child('http').log('warn', 'key hush refused')
    expect(passed).toEqual(['detail', 'key hush refused'])
    expect(ring.lines()).toMatchObject([{ level: 'warn', service: 'http', message: 'key *** refused' }])
  })

  it('tells the lines of one source', () => {
    const { ring } = start()
    ring.logger.log('info', 'a', { source: 'office' })
    ring.logger.log('info', 'b', { source: 'desk' })
    ring.logger.log('info', 'c')
    expect(ring.lines('office').map(({ message }) => message)).toEqual(['a'])
  })

  it('is bounded in lines and in their length', () => {
    const { ring } = start(10)
    for (let n = 0; n < 1000; n++) ring.logger.log('info', String(n))
    ring.logger.log('info', 'x'.repeat(100_000))
    expect(ring.lines().length).toBe(10)
    expect(ring.lines().at(-1)?.message.length).toBe(2000)
    expect(ring.lines().at(-2)?.message).toBe('999')
  })
})
