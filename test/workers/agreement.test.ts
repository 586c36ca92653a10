import { renameSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, toConfig } from '../helpers/gateway-process.js'
import { adminKeyOf, askAt, callAt, echoSource, modern, patient, startWorkers, streamAt, workersOf } from './workers.js'

const open: GatewayProcess[] = []

afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.dispose()
})

/** Two workers, by their process ids. */
const start = async (config: Parameters<typeof startWorkers>[0] = {}, options?: Parameters<typeof startWorkers>[2]) => {
  const gateway = await startWorkers(config, 2, options)
  open.push(gateway)
  const [first, second] = workersOf(gateway)
  return { gateway, url: gateway.url, first: first!, second: second! }
}

const admin = (gateway: GatewayProcess) => {
  const headers = { Authorization: `Bearer ${adminKeyOf(gateway)}` }
  return (worker: number, method: string, path: string, body?: unknown) =>
    askAt(worker, new URL(`/api/admin/v1${path}`, gateway.url).href, { method, body, headers })
}

describe('what happens at one worker', () => {
  it('is known to the other when it is a tool that was registered, and when it was taken away', async () => {
    const { gateway, url, first, second } = await start({ profiles: { default: { expose: 'search', names: 'exact' } } })
    const ask = admin(gateway)
    const owner = { headers: { Authorization: `Bearer ${adminKeyOf(gateway)}` } }
    for (const [round, writer, reader] of [
      [1, first, second],
      [2, second, first],
      [3, first, second],
    ] as const) {
      const name = `made_${round}`
      const tool = { name, description: `Waters the orchids of greenhouse ${round}` }
      expect(await callAt(writer, url, 'register_tool', tool, owner)).toMatch(/^200 .*已注册/)
      // At once, without another look.
      expect(await callAt(reader, url, 'get_tool_definition', { tool_name: name })).toContain(tool.description)
      expect(await callAt(reader, url, 'search_tools', { query: 'orchids greenhouse' })).toContain(name)
      expect(await callAt(reader, url, 'call_tool', { tool_name: name, arguments: {} })).toContain(
        `'${name}' is registered as a definition only`,
      )
      expect((await ask(reader, 'GET', '/tools')).body).toContain(name)
      expect(await callAt(reader, url, 'unregister_tool', { tool_name: name }, owner)).toMatch(/^200 /)
      expect(await callAt(writer, url, 'get_tool_definition', { tool_name: name })).not.toContain(tool.description)
    }
  })

  it('holds at the other when it is a key: made, it opens; revoked, it is refused, and its streams end', async () => {
    const { gateway, url, first, second } = await start({ auth: { required: true } }, { greet: false })
    const ask = admin(gateway)
    const made = await ask(first, 'POST', '/keys', { name: 'leaver' })
    expect(made.status, made.body).toBeLessThan(300)
    const { key, record } = JSON.parse(made.body) as { key: string; record: { id: string } }
    const headers = { 'x-api-key': key }
    const tools = new URL('/api/v1/tools', url).href
    expect((await askAt(second, tools, { method: 'GET', headers })).status).toBe(200)
    const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const streams: { readonly ended: Promise<void> }[] = []
    for (const worker of [first, second])
      streams.push(await streamAt(worker, url, { body: listen.body, headers: { ...listen.headers, ...headers } }))
    expect((await ask(first, 'DELETE', `/keys/${record.id}`)).status).toBeLessThan(300)
    await Promise.all(streams.map(({ ended }) => ended))
    for (const worker of [first, second])
      expect((await askAt(worker, tools, { method: 'GET', headers })).status).toBe(401)
  })

  it('is what the file says, when that is edited: a rule, a source, who may come in', async () => {
    const { gateway, url, first, second } = await start()
    const tools = new URL('/api/v1/tools', url).href
    const write = (more: object): void => {
      writeFileSync(`${gateway.file}.new`, toConfig({ server: { workers: 2 }, ...more }))
      renameSync(`${gateway.file}.new`, gateway.file)
    }
    const sum = { expression: '6*7' }
    for (const worker of [first, second]) expect(await callAt(worker, url, 'calculator', sum)).toMatch(/^200 .*42/)
    write({ profiles: { default: { expose: 'flat', names: 'exact', deny: ['calculator'] } } })
    for (const worker of [first, second])
      await expect.poll(() => callAt(worker, url, 'calculator', sum), patient).not.toContain('42')
    write({ sources: { up: echoSource } })
    for (const worker of [first, second])
      await expect.poll(() => callAt(worker, url, 'up.echo', { text: 'hello' }), patient).toMatch(/^200 .*hello/)
    write({ auth: { required: true } })
    for (const worker of [first, second])
      await expect.poll(async () => (await askAt(worker, tools, { method: 'GET' })).status, patient).toBe(401)
  })
})
