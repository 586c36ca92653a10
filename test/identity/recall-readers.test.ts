import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openTeam } from '../helpers/team-board.js'

/** Another service behind the recall: it takes every call, and says which came. */
const startOperators = async () => {
  const asked: string[] = []
  const listening = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"content":[{"type":"text","text":"done"}]}')
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

describe('a reader who comes by the recall', () => {
  const proxy = '/api/agent-retrieval/in/v1/mcp/proxy/wiki/tools/delete_page/call'

  it('calls no tool of another service, which nobody here calls read-only', async () => {
    await using operators = await startOperators()
    await using team = await openTeam({ people: 'keys', config: { recall: { operators: { url: operators.url } } } })
    const call = async (role: 'reader' | 'caller') => {
      const { key } = await team.board.listener!.keys.create({ name: role, role })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${team.url}${proxy}`, { method: 'POST', headers, body: '{}' })
      return { status: response.status, text: await response.text() }
    }
    const refused = await call('reader')
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('right to call')])
    expect(operators.asked).toEqual([])
    expect((await call('caller')).status).toBe(200)
    expect(operators.asked).toEqual(['POST /api/agent-operator-integration/internal-v1/mcp/proxy/wiki/tool/call'])
  })

  it('calls of our own board what the operator calls read-only, and nothing else', async () => {
    const profiles = { default: { readonly: ['*current_time*'] } }
    await using team = await openTeam({ people: 'keys', config: { profiles } })
    const { key } = await team.board.listener!.keys.create({ name: 'reader', role: 'reader' })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const status = async (tool: string, args: object) => {
      const path = `/api/agent-retrieval/in/v1/mcp/proxy/local/tools/${tool}/call`
      return (await fetch(`${team.url}${path}`, { method: 'POST', headers, body: JSON.stringify(args) })).status
    }
    expect(await status('current_time', {})).toBe(200)
    expect(await status('calculator', { expression: '1' })).toBe(403)
  })
})
