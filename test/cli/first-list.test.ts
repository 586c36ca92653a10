import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { StoryClient } from '../helpers/clients/client.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { v1OverStdio } from '../helpers/clients/sdk-v1.js'
import { v2OverStdio } from '../helpers/clients/sdk-v2.js'
import { cliPath } from '../helpers/run-cli.js'
import { type RosterBoard, rosterBoard, toolsOf } from './roster-board.js'

// Built before anything is timed.
beforeAll(() => void cliPath())

type Open = (command: string, args: readonly string[]) => Promise<StoryClient>

const clients: Readonly<Record<string, Open>> = {
  'SDK v1': v1OverStdio,
  'SDK v2 in the legacy era': (...command) => v2OverStdio('legacy', ...command),
  'SDK v2 in the modern era': (...command) => v2OverStdio('auto', ...command),
}

const connect = async (board: RosterBoard, open: Open = v1OverStdio): Promise<StoryClient> => {
  const client = await open(...board.command())
  onTestFinished(() => client.close())
  return client
}

/** The first and only list of a client that then leaves. */
const listOnce = async (board: RosterBoard, open?: Open): Promise<readonly string[]> => {
  const client = await connect(board, open)
  const tools = await client.list()
  await client.close()
  return [...tools].sort()
}

/** Lists again at each announcement until it is as it should be. */
const untilListed = async (client: StoryClient, tool: string): Promise<readonly string[]> => {
  for (;;) {
    const changed = client.changed()
    const tools = await client.list()
    if (tools.includes(tool)) return tools
    await changed
  }
}

describe.each(Object.keys(clients))('%s, which lists once over stdio (U1)', (name) => {
  const open = clients[name]!

  it('sees all tools on a first start, and on a second one though a source now hangs', async () => {
    const board = rosterBoard({ alpha: {}, beta: { tools: 3 }, gamma: {} })
    const all = [...toolsOf('alpha'), ...toolsOf('beta', 3), ...toolsOf('gamma')]
    board.write()
    expect(await listOnce(board, open)).toEqual(all)
    board.hold('beta')
    expect(await listOnce(board, open)).toEqual(all)
  })
})

describe('what an earlier start saw (U1)', () => {
  it('is kept by sqlite as well', async () => {
    const board = rosterBoard({ alpha: {} })
    board.write({ storage: { backend: 'sqlite' } })
    expect(await listOnce(board)).toEqual(toolsOf('alpha'))
    board.hold('alpha')
    expect(await listOnce(board)).toEqual(toolsOf('alpha'))
  })

  it('is nothing about another server of the same name', async () => {
    const board = rosterBoard({ alpha: {} })
    board.write()
    await listOnce(board)
    board.write({}, { alpha: { tools: 3 } })
    expect(await listOnce(board)).toEqual(toolsOf('alpha', 3))
  })

  it('is read by a second process beside the first, which owns the folder', async () => {
    const board = rosterBoard({ alpha: {} })
    board.write()
    const owner = await connect(board)
    expect(await owner.list()).toEqual(toolsOf('alpha'))
    // Both kinds of data are on disk a moment later; a board that closes would write them too.
    await expect.poll(() => board.stored('seen-sources.json')).toContain('alpha')
    await expect.poll(() => board.stored('tools.json')).toContain('alpha.t1')
    board.hold('alpha')
    expect(await listOnce(board)).toEqual(toolsOf('alpha'))
  })
})

describe('a client that tries us and leaves at once (U1)', () => {
  it('leaves nothing behind by which the next one misses tools, though they were still being read', async () => {
    // Many, so that the scanner takes a while.
    const board = rosterBoard({ large: { tools: 4000 } })
    board.write()
    const first = await connectSdk(board)
    await expect.poll(() => board.hasListed('large'), { interval: 1 }).toBe(true)
    for (let round = 0; round < 5; round += 1) await first.ping()
    await first.close()
    expect(await listOnce(board)).toContain('search_tools')
  })

  it('leaves nothing behind by which tools of the first report are held back as new', async () => {
    const board = rosterBoard({ alpha: { newTools: 'hold' } })
    board.write()
    board.hold('alpha')
    const first = await connectSdk(board)
    await first.close()
    board.letGo('alpha')
    expect(await listOnce(board)).toEqual(toolsOf('alpha'))
  })
})

describe('the shape of the list (U1)', () => {
  it('stays flat under a client when a slow source brings more, and is search from the next start on', async () => {
    const board = rosterBoard({ alpha: {}, slow: { tools: 60 } })
    board.write({}, { alpha: {} })
    expect(await listOnce(board)).toEqual(toolsOf('alpha'))
    board.hold('slow')
    board.write({ server: { firstListMs: 1 } })
    const client = await connect(board)
    expect(await client.list()).toEqual(toolsOf('alpha'))
    board.letGo('slow')
    expect(await untilListed(client, 'slow.t0')).toHaveLength(62)
    await client.close()
    board.hold('slow')
    expect(await listOnce(board)).toContain('search_tools')
  })
})

describe('a source that hangs (U1)', () => {
  it('is waited for once, not at the next start, and joins when it is there', async () => {
    const board = rosterBoard({ alpha: {}, stuck: {} })
    board.hold('stuck')
    board.write({ server: { firstListMs: 2000 } })
    const first = await connect(board)
    expect(await untilListed(first, 'alpha.t0')).toEqual(toolsOf('alpha'))
    await first.close()
    // Waiting again would take ten minutes.
    board.write()
    const client = await connect(board, (...command) => rawOverStdio('modern', ...command))
    expect(await client.list()).toEqual(toolsOf('alpha'))
    board.letGo('stuck')
    expect(await untilListed(client, 'stuck.t0')).toHaveLength(4)
  })

  it('lets calls of its listed tools wait until it is there', async () => {
    const board = rosterBoard({ alpha: {} })
    board.write()
    await listOnce(board)
    board.hold('alpha')
    const client = await connect(board)
    expect(await client.list()).toEqual(toolsOf('alpha'))
    const answer = client.call('alpha.t1', {})
    board.letGo('alpha')
    expect(await answer).toEqual({ text: 'alpha t1', isError: false })
  })
})

describe('a source that is down (U1)', () => {
  it('stays listed, and a call is told its state, why and the next try', async () => {
    const board = rosterBoard({ alpha: {}, broken: {} })
    board.write()
    await listOnce(board)
    board.end('broken')
    const client = await connect(board)
    expect(await client.list()).toHaveLength(4)
    const answer = await client.call('broken.t0', {})
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(/The source 'broken' is backing-off: .*out of order.* Next try in \d+ s\./s)
    expect(await client.list()).toHaveLength(4)
    expect(await client.call('alpha.t0', {})).toEqual({ text: 'alpha t0', isError: false })
    board.mend('broken')
    await expect.poll(() => client.call('broken.t0', {})).toEqual({ text: 'broken t0', isError: false })
  })

  it('leaves the list where the profile hides what is down, prompts and resources too, and comes back', async () => {
    const board = rosterBoard({ alpha: {}, broken: { more: true } })
    const profiles = { default: { names: 'exact', hideDown: true } }
    board.write({ profiles })
    expect(await listOnce(board)).toHaveLength(4)
    board.end('broken')
    const client = await connectSdk(board)
    await expect.poll(() => namesOf(client)).toEqual(toolsOf('alpha'))
    await expect(client.callTool({ name: 'broken.t0' })).rejects.toThrow('Unknown tool')
    expect((await client.listPrompts()).prompts).toEqual([])
    expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith('memo:'))).toEqual([])
    board.mend('broken')
    await expect.poll(() => namesOf(client)).toHaveLength(4)
  })
})

describe('over HTTP (U1)', () => {
  it('the first list and a call of what nobody knows yet wait for what is new, while other requests do not', async () => {
    const board = rosterBoard({ alpha: {} })
    board.write()
    board.hold('alpha')
    const { url } = await serve(board)
    const client = await rawOverHttp('modern', `${url}/mcp`)
    onTestFinished(() => client.close())
    const listing = client.list()
    const overRest = fetch(`${url}/api/v1/tools`)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const unknown = expect(client.call('nothing', {})).rejects.toThrow('Unknown tool')
    board.letGo('alpha')
    await unknown
    expect(await listing).toEqual(toolsOf('alpha'))
    expect(((await (await overRest).json()) as { total: number }).total).toBe(2)
  })

  it('the first list after a restart is whole at once, though a source hangs', async () => {
    const board = rosterBoard({ alpha: {}, beta: {} })
    board.write()
    const first = await serve(board)
    await listOver(first.url)
    await first.stop()
    board.hold('beta')
    const second = await serve(board)
    expect(await listOver(second.url)).toEqual([...toolsOf('alpha'), ...toolsOf('beta')])
  })

  it('takes another shape under a session when an operator adds a source, and only then', async () => {
    const board = rosterBoard({ alpha: {}, large: { tools: 60 } })
    board.write({}, { alpha: {} })
    const { url } = await serve(board)
    const client = await rawOverHttp('legacy', `${url}/mcp`)
    onTestFinished(() => client.close())
    expect(await client.list()).toEqual(toolsOf('alpha'))
    board.write()
    await expect.poll(() => client.list()).toContain('search_tools')
  })
})

describe('prompts, resources, templates, completions and instructions (U1)', () => {
  it('are in the first lists, and restored while their source hangs or is down', async () => {
    const board = rosterBoard({ alpha: { more: true } })
    board.write()
    const first = await connectSdk(board)
    await expectOffer(first)
    await first.close()
    board.hold('alpha')
    const second = await connectSdk(board)
    await expectOffer(second)
    expect(second.getInstructions()).toContain('About alpha.')
    const completing = second.complete({
      ref: { type: 'ref/prompt', name: 'alpha.greet' },
      argument: { name: 'whom', value: 'w' },
    })
    board.letGo('alpha')
    expect((await completing).completion.values).toEqual(['world'])
    await second.close()
    board.end('alpha')
    const third = await connectSdk(board)
    await expectOffer(third)
    await expect(third.getPrompt({ name: 'alpha.greet' })).rejects.toThrow(/backing-off: .*Next try in/s)
    await expectOffer(third)
  })
})

const serve = async (board: RosterBoard): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const [command, args] = board.command('serve', '--port', '0', '--json')
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  for await (const line of createInterface({ input: child.stderr })) {
    const found = /Listening: (http:\/\/[^/\s"]+)/.exec(line)
    if (found) return { url: found[1]!, stop }
  }
  throw new Error('The gateway ended before it listened.')
}

const listOver = async (url: string): Promise<readonly string[]> => {
  const client = await rawOverHttp('modern', `${url}/mcp`)
  try {
    return await client.list()
  } finally {
    await client.close()
  }
}

const connectSdk = async (board: RosterBoard): Promise<Client> => {
  const client = new Client({ name: 'lists-once', version: '1' })
  const [command, args] = board.command()
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
  onTestFinished(() => client.close())
  return client
}

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

const expectOffer = async (client: Client): Promise<void> => {
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['alpha.greet'])
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('memo://alpha')
  expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'memo://alpha/{id}',
  ])
}
