import { describe, expect, it } from 'vitest'
import { systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import { createStdioHost } from './sessions.js'

// Takes part in the handshake, then reads nothing any more.
const deafServer = `
  const answers = { initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'd', version: '1' } } }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    if (method === 'notifications/initialized') return process.stdin.pause()
    const error = { code: -32601, message: 'unknown' }
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] ? { result: answers[method] } : { error }) }) + '\\n')
  })
  setInterval(() => {}, 1000)
`

describe('the processes of a gateway', () => {
  it('tell how much each has yet to read, until it is gone', async () => {
    const host = createStdioHost({
      clock: systemClock,
      logger: silentLogger,
      hostEnv: process.env,
      stopTimes: { inputMs: 0 },
    })
    const command = { command: process.execPath, args: ['-e', deafServer], source: 'deaf' }
    const options = { clientInfo: { name: 't', version: '1' }, clock: systemClock }
    const peer = await host.connect(command, options)
    // More than any pipe holds.
    const lost = peer.request('deaf/listen', { text: 'x'.repeat(2_000_000) }).catch((error: unknown) => error)
    await expect.poll(() => host.unread()[0]?.bytes ?? 0).toBeGreaterThan(1_000_000)
    expect(host.unread()).toEqual([{ source: 'deaf', bytes: expect.any(Number) }])
    await peer.close()
    expect(await lost).toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    expect(host.unread()).toEqual([])
    await host.close()
  })
})
