import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayProcess } from '../helpers/gateway-process.js'
import { ask, childrenOf, echoSource, startWorkers, workersOf } from './workers.js'

const open: GatewayProcess[] = []

afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.dispose()
})

for (const backend of ['json', 'sqlite'])
  describe(`the workers of a gateway on ${backend}`, () => {
    it('are one to a session, whose every request lands elsewhere, and call the one child that the parent runs', async () => {
      const gateway = await startWorkers({ storage: { backend }, sources: { up: echoSource } }, 3)
      open.push(gateway)
      const initialize = {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }
      const { headers } = await ask(gateway.url, { body: { jsonrpc: '2.0', id: 0, ...initialize } })
      const session = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' }
      const params = { name: 'up.echo', arguments: { text: 'hello' } }
      const call = async (id: number) => {
        const body = { jsonrpc: '2.0', id, method: 'tools/call', params }
        const answer = await ask(gateway.url, { headers: session, body })
        return `${answer.status} ${answer.body}`
      }
      // One that has not yet heard of the source's tools says so, as any gateway that has just begun.
      for (let id = 1; id <= 30; id++) await expect.poll(() => call(id)).toMatch(/^200 .*"text":"hello"/)
      // A reaper, the child, and the workers, which have none.
      expect(childrenOf(gateway.pid)).toHaveLength(3 + 2)
      expect(workersOf(gateway).flatMap(childrenOf)).toEqual([])
    })
  })
