import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { CallApprovalRow } from '../../operations/call-approvals.js'
import { ApprovalMessages } from './approval-messages.js'

const row: CallApprovalRow = {
  ...{ id: 'r1', state: 'asked', tool: 'refund', caller: 'key:1', profile: 'default', rules: ['money'] },
  ...{ by: ['operator'], remember: ['once'], askedAt: 0, expiresAt: 0, argumentBytes: 2, arguments: '{}', uses: 0 },
}

type Said = { readonly status: number; readonly headers?: Record<string, string> | undefined } | 'nothing' | 'hang up'

let clock: VirtualClock
let bodies: string[]
let signatures: string[]
let says: (count: number) => Said
let url: string
let state: CallApprovalRow['state']
let close: () => Promise<void>
const logged: string[] = []
const counted: string[] = []
let messages: ApprovalMessages
let links: number
let timeoutMs: number

// Loading it may take longer than what is waited for below.
beforeAll(() => import('undici'))
beforeEach(async () => {
  clock = new VirtualClock()
  ;[bodies, signatures, state, links, timeoutMs] = [[], [], 'asked', 0, 20_000]
  logged.length = counted.length = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      bodies.push(body)
      signatures.push(String(request.headers['pegboard-signature']))
      const said = says(bodies.length)
      if (said === 'hang up') request.socket.destroy()
      else if (said !== 'nothing') response.writeHead(said.status, said.headers).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T000/secret-part`
  messages = new ApprovalMessages({
    settings: () => ({ url, secret: 'sixteen-characters', requireKey: false, timeoutMs }),
    look: async (id) => ({ ...row, id, state }),
    linkTo: async (id) => `https://board.example.com/approve/${id}-${++links}`,
    clock,
    logger: { log: (level, text) => void logged.push(`${level} ${text}`), child: () => expect.fail() },
    count: (outcome) => void counted.push(outcome),
  })
  close = async () => {
    await messages.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(() => close())

const until = (is: () => boolean): Promise<unknown> => vi.waitUntil(is, { timeout: 20_000 })
const posts = (count: number): Promise<unknown> => until(() => bodies.length === count)
/** Until the pause after what did not work has begun. */
const pausing = (): Promise<unknown> => until(() => clock.pendingTimers > 0)

describe('messages to approvers', () => {
  it.each<[string, Said]>([
    ['refuses', { status: 500 }],
    ['sends us elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['says nothing', 'nothing'],
    ['hangs up', 'hang up'],
  ])('are sent again where the other end %s, with the same link, and told of once', async (_, first) => {
    says = (count) => (count < 3 ? first : { status: 200 })
    if (first === 'nothing') timeoutMs = 500
    messages.take('r1')
    for (const pauseMs of [1000, 5000]) {
      await pausing()
      await clock.advance(pauseMs)
    }
    await posts(3)
    await until(() => counted.length === 1)
    expect(counted).toEqual(['sent'])
    expect(new Set(bodies).size).toBe(1)
    // Signed anew each time: an old signature is one that somebody caught.
    expect(new Set(signatures).size).toBe(3)
    expect(logged).toEqual([
      expect.stringMatching(/^error Approvers cannot be told at 127\.0\.0\.1:\d+ .*pegboard approvals calls/),
      expect.stringMatching(/^info Approvers are told at 127\.0\.0\.1:\d+/),
    ])
    expect(logged.join()).not.toContain('secret-part')
  })

  it('are given up after four tries', async () => {
    says = () => ({ status: 503 })
    messages.take('r1')
    for (const pauseMs of [1000, 5000, 30_000]) {
      await pausing()
      await clock.advance(pauseMs)
    }
    await until(() => counted.length === 1)
    expect([counted, bodies.length, logged.length]).toEqual([['failed'], 4, 1])
  })

  it('are not sent again once somebody has answered', async () => {
    says = () => ({ status: 503 })
    messages.take('r1')
    await pausing()
    state = 'granted'
    await clock.advance(1000)
    messages.take('r2')
    await messages.close()
    expect(bodies).toHaveLength(1)
  })

  it('wait for each other in a bounded row', async () => {
    says = () => ({ status: 503 })
    for (let count = 0; count < 300; count++) messages.take(`r${count}`)
    // Eight on their way, 256 behind them.
    expect(counted).toEqual(Array(300 - 8 - 256).fill('dropped'))
    await until(() => clock.pendingTimers === 8)
    expect(bodies).toHaveLength(8)
  })

  it('do not hold up the end', async () => {
    says = () => 'nothing'
    messages.take('r1')
    await posts(1)
    await Promise.all([messages.close(), clock.advance(2000)])
    messages.take('r2')
    expect(bodies).toHaveLength(1)
  })
})
