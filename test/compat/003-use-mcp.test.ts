import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { isExecutionErrorResult, ToolManager } from '../../src/compat/tool-manager.js'
import { serveFixture } from '../helpers/serve-fixture.js'

const mathsServer = fileURLToPath(new URL('./fixtures/maths-server.mjs', import.meta.url))

let manager: ToolManager
afterEach(() => manager?.close())

const withMaths = async (tags?: string | string[]) => {
  manager = new ToolManager()
  const names = await manager.useMcp(mathsServer, tags)
  return { manager, names }
}

describe('003 useMcp over a real server process', () => {
  it('003-08 registers each tool with kwargs, returns and tags', async () => {
    const { names } = await withMaths('remote')
    expect(names).toContain('add')
    expect(manager.getToolInfo().add).toEqual({
      name: 'add',
      desc: 'Adds two numbers',
      kwargs: { first_number: ['number', ''], second_number: ['number', ''] },
      returns: expect.objectContaining({ result: ['number', ''] }),
    })
    expect(manager.getToolInfo().plain_text).not.toHaveProperty('returns')
    expect(manager.getToolList('sums').map(({ name }) => name)).toEqual(['add'])
    expect(manager.getToolList('texts').map(({ name }) => name)).toEqual(['json_text'])
    expect(manager.getToolList('remote')).toHaveLength(names.length)
  })

  it('003 compat 2: answers structured content as it is, and missing fields as an error that names them', async () => {
    await withMaths()
    expect(await manager.asyncCallTool('add', { first_number: 1, second_number: 2 })).toEqual({ result: 3 })
    const wrong = (await manager.asyncCallTool('add', { a: 1, b: 2 })) as { error: string }
    expect(wrong).toEqual({ error: expect.any(String) })
    expect(wrong.error).toContain('first_number')
    expect(wrong.error).toContain('second_number')
  })

  it('003 compat 6: decodes the first block: JSON text, plain text, an image, nothing', async () => {
    await withMaths()
    expect(await manager.async_call_tool('json_text')).toEqual({ a: 1 })
    expect(await manager.async_call_tool('plain_text')).toBe('hi')
    expect(await manager.async_call_tool('picture')).toEqual({ type: 'image', data: 'AAAA', mimeType: 'image/png' })
    expect(await manager.async_call_tool('nothing')).toBeNull()
  })

  it('003-09 gives an error as {error} and structured data that looks like a result as data', async () => {
    await withMaths()
    expect(await manager.asyncCallTool('fail')).toEqual({ error: expect.stringContaining('boom') })
    expect(await manager.asyncCallTool('result_like')).toEqual({ content: [{ type: 'text', text: 'inner' }] })
  })

  it('003-09 hands out the proxy itself, which decodes the same way', async () => {
    await withMaths()
    expect(await manager.getToolFunc('add')!({ first_number: 2, second_number: 3 })).toEqual({ result: 5 })
    expect(await manager.getToolFunc('add', 'async')!({ first_number: 2, second_number: 3 })).toEqual({ result: 5 })
  })

  it('D10 003-06 calls remote tools synchronously, in the process that asynchronous calls use', async () => {
    await withMaths()
    expect(manager.call_tool('plain_text')).toBe('hi')
    expect(manager.callTool('add', { first_number: 1, second_number: 2 })).toEqual({ result: 3 })
    expect(manager.callTool('pid')).toBe(await manager.asyncCallTool('pid'))
    const add = manager.get_tool_func('add', 'sync')!
    expect(add({ first_number: 2, second_number: 3 })).toEqual({ result: 5 })
    expect(manager.callTool('fail')).toEqual({ error: expect.stringContaining('boom') })
  })

  it('D10 asks in between, both ways at once', async () => {
    await withMaths()
    const later = Array.from({ length: 20 }, (_, n) =>
      manager.asyncCallTool('add', { first_number: n, second_number: 1 }),
    )
    for (let n = 0; n < 20; n++)
      expect(manager.callTool('add', { first_number: n, second_number: 2 })).toEqual({ result: n + 2 })
    expect(await Promise.all(later)).toEqual(Array.from({ length: 20 }, (_, n) => ({ result: n + 1 })))
  })

  it('D10 answers a synchronous call of a server that crashes, and of one that was closed, in words', async () => {
    await withMaths()
    expect(manager.callTool('crash')).toMatch(/^Error: /)
    await manager.close()
    expect(manager.callTool('plain_text')).toMatch(/^(Error:|Can not find)/)
  })

  it('C12 refuses a synchronous call where the connections live in this thread, without asking the server', async () => {
    manager = new ToolManager({ mcp: 'here' })
    await manager.useMcp(mathsServer)
    const answer = manager.callTool('crash')
    expect(isExecutionErrorResult(answer)).toBe(true)
    expect(answer).toContain('asyncCallTool')
    expect(() => manager.getToolFunc('crash', 'sync')!({})).toThrow(/asyncCallTool/)
    expect(await manager.asyncCallTool('plain_text')).toBe('hi')
  })

  it('003-07 answers a connection that broke as a string that starts with Error:', async () => {
    await withMaths()
    const answer = await manager.asyncCallTool('crash')
    expect(answer).toMatch(/^Error: /)
  })

  it('keeps one connection over calls and over a second import', async () => {
    await withMaths()
    const pid = await manager.asyncCallTool('pid')
    await manager.asyncUseMcp(mathsServer, 'again')
    expect(await manager.asyncCallTool('pid')).toBe(pid)
    expect(manager.getToolList('again').length).toBeGreaterThan(0)
  })

  it('ends the process with close', async () => {
    await withMaths()
    const pid = (await manager.asyncCallTool('pid')) as number
    await manager.close()
    expect(isRunning(pid)).toBe(false)
    expect(await manager.asyncCallTool('pid')).toMatch(/^(Error:|Can not find)/)
  })
})

describe('003 useMcp transports', () => {
  it('D10 calls tools synchronously over HTTP', async () => {
    manager = new ToolManager()
    const server = fork(fileURLToPath(new URL('../helpers/servers/http-legacy.mjs', import.meta.url)))
    try {
      const [{ url }] = (await once(server, 'message')) as [{ url: string }]
      await manager.useMcp(url)
      expect(manager.callTool('add', { a: 20, b: 22 })).toEqual(await manager.asyncCallTool('add', { a: 20, b: 22 }))
    } finally {
      await manager.close()
      server.kill()
    }
  })

  it('takes mcpServers, and puts the server before the names when there are several', async () => {
    manager = new ToolManager()
    const served = await serveFixture()
    try {
      await manager.useMcp({
        mcpServers: {
          maths: { type: 'stdio', command: process.execPath, args: [mathsServer], keep_alive: true, timeout: 20_000 },
          web: { type: 'http', url: served.url },
        },
      })
      expect(await manager.asyncCallTool('maths_add', { first_number: 1, second_number: 1 })).toEqual({ result: 2 })
      expect(await manager.asyncCallTool('web_add', { a: 2, b: 2 })).toBe(4)
    } finally {
      await manager.close()
      await served.close()
    }
  })

  it('takes a URL', async () => {
    manager = new ToolManager()
    const served = await serveFixture()
    try {
      await manager.useMcp(served.url)
      expect(await manager.asyncCallTool('echo', { a: '你好' })).toEqual({ a: '你好' })
    } finally {
      await manager.close()
      await served.close()
    }
  })

  it('imports what could be connected and then says what could not', async () => {
    manager = new ToolManager()
    const using = manager.useMcp({
      mcpServers: { maths: { command: process.execPath, args: [mathsServer] }, gone: { command: 'no-such-program' } },
    })
    await expect(using).rejects.toMatchObject({
      code: 'MCP_UNAVAILABLE',
      message: expect.stringContaining("'gone'"),
    })
    expect(await manager.asyncCallTool('maths_plain_text')).toBe('hi')
  })

  it.each([
    ['a number', 7],
    ['null', null],
    ['a script that is not there', 'nowhere.mjs'],
    ['a path of another kind', 'server.txt'],
    ['no server', { mcpServers: {} }],
    ['a server without a way to reach it', { mcpServers: { a: {} } }],
    ['a command that is no text', { mcpServers: { a: { command: 1 } } }],
    ['arguments that are no list', { command: 'x', args: 'y' }],
    ['a URL that is none', { url: 'not a url' }],
    ['a sign-in by browser', { url: 'http://127.0.0.1:1/', auth: 'oauth' }],
  ])('003-10 refuses %s with a coded error and asks nobody', async (_what, transport) => {
    manager = new ToolManager()
    await expect(manager.useMcp(transport as never)).rejects.toMatchObject({ code: 'SOURCE_INVALID' })
    expect(manager.getToolList()).toEqual([])
  })
})

const isRunning = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
