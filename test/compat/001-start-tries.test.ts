import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'

let gateway: GatewayProcess | undefined
afterEach(() => gateway?.dispose())

describe('001-15 a service that cannot be started', () => {
  it('is tried as often as its source says, and then left to a person', async () => {
    const broken = { command: process.execPath, args: ['-e', 'process.exit(3)'] }
    gateway = await startGateway({
      sources: {
        bounded: { type: 'stdio', ...broken, startTries: 1, afterStartTries: 'park' },
        endless: { type: 'stdio', ...broken, startTries: 1 },
      },
    })
    const address = new URL('/api/v1/sources', gateway.url)
    const states = async () => {
      const { sources } = (await (await fetch(address)).json()) as { sources: { name: string; state: string }[] }
      return Object.fromEntries(sources.map(({ name, state }) => [name, state]))
    }
    await expect.poll(states, { timeout: 30_000 }).toMatchObject({
      bounded: 'parked',
      endless: expect.stringMatching(/^(?:backing-off|crash-loop)$/),
    })
  })
})
