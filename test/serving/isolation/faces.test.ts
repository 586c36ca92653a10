import { afterEach, describe, expect, it } from 'vitest'
import { builtCli } from '../../helpers/built-cli.js'
import { type ClientKind, clientKinds, type NamedClient, openClient } from '../../helpers/clients/named.js'
import { isAlive, startGateway, untilGone } from '../../helpers/gateway-process.js'
import { openRunning, type Running } from '../open-running.js'
import { pages } from './pages.js'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const configOf = (isolation: string, more: object = {}) => ({
  sources: { browser: { ...pages, isolation, ...more } },
  profiles: { default: { expose: 'flat', names: 'exact' } },
})

const serve = async (isolation: string, more: object = {}): Promise<Running & { readonly url: string }> => {
  const running = await openRunning(configOf(isolation, more))
  open.push(async () => running[Symbol.asyncDispose]())
  return Object.assign(running, { url: `${running.board.listener!.listensAt}/mcp` })
}

const connect = async (kind: ClientKind, name: string, url: string, headers?: Record<string, string>) => {
  const client = await openClient(kind, name, headers ? { url, headers } : { url })
  open.push(() => client.close().catch(() => {}))
  return client
}

const twoPages = async (one: NamedClient, other: NamedClient): Promise<readonly number[]> => {
  const first = await one.call('browser.goto', { page: 'one' })
  const second = await other.call('browser.goto', { page: 'two' })
  expect(first.pid).not.toBe(second.pid)
  expect(await one.call('browser.page')).toEqual({ page: 'one', pid: first.pid })
  expect(await other.call('browser.page')).toEqual({ page: 'two', pid: second.pid })
  return [first.pid, second.pid]
}

describe.each(clientKinds)('two clients of %s at a source with a process for each session (N9)', (kind) => {
  it('never see each other’s page, resource, question or steps', async () => {
    const { url } = await serve('session')
    const [one, other] = [await connect(kind, 'Ann', url), await connect(kind, 'Bob', url)]
    await twoPages(one, other)
    expect([await one.read('page://current'), await other.read('page://current')]).toEqual(['one', 'two'])
    // Questions are asked of whoever called, about their own page; what they answer is theirs.
    expect(await Promise.all([one.call('browser.sign'), other.call('browser.sign')])).toEqual([
      'one by Ann',
      'two by Bob',
    ])
    expect([await one.steps('browser.slow'), await other.steps('browser.slow')]).toEqual([['one'], ['two']])
  })

  it('hear of changes of their own alone', async () => {
    const { url } = await serve('session')
    const [one, other] = [await connect(kind, 'Ann', url), await connect(kind, 'Bob', url)]
    await twoPages(one, other)
    await one.follow('page://current')
    await other.follow('page://current')
    // Legacy clients hear on a stream that opens by itself.
    await expect
      .poll(async () => {
        await one.call('browser.goto', { page: 'again' })
        return one.updates
      })
      .toBeGreaterThan(0)
    await other.call('browser.page')
    expect(other.updates).toBe(0)
  })
})

describe('whose a process is (N9)', () => {
  it('ends with a session that its client ends, and leaves the other’s alone', async () => {
    const { url } = await serve('session')
    const [one, other] = [await connect('SDK v1', 'Ann', url), await connect('SDK v1', 'Ann', url)]
    const [first, second] = await twoPages(one, other)
    await one.close()
    await untilGone([first!])
    expect(await other.call('browser.page')).toEqual({ page: 'two', pid: second })
  })

  it('is one for all anonymous programs where callers are kept apart', async () => {
    const { url } = await serve('caller')
    const [one, other] = [await connect('SDK v1', 'Ann', url), await connect('SDK v2, modern', 'Bob', url)]
    await one.call('browser.goto', { page: 'one' })
    expect((await other.call('browser.page')).page).toBe('one')
  })

  it('is told from a like one by a header, where the era knows no sessions', async () => {
    const { url } = await serve('session')
    const same = await Promise.all(
      ['a', 'b'].map((key) => connect('SDK v2, modern', 'Ann', url, { 'pegboard-session': key })),
    )
    await twoPages(same[0]!, same[1]!)
    const again = await connect('SDK v2, modern', 'Ann', url, { 'pegboard-session': 'a' })
    expect((await again.call('browser.page')).page).toBe('one')
  })

  it('is told by the same header over plain HTTP', async () => {
    const { url } = await serve('session')
    const rest = new URL('/api/v1/tools/browser.page/call', url)
    const page = async (session: string, tool = 'page', args = {}) => {
      const answer = await fetch(new URL(`../browser.${tool}/call`, rest), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'pegboard-session': session },
        body: JSON.stringify(args),
      })
      return JSON.stringify(await answer.json())
    }
    await page('a', 'goto', { page: 'of a' })
    expect(await page('a')).toContain('of a')
    expect(await page('b')).toContain('about:blank')
  })
})

describe('the bound of processes (N9)', () => {
  it('is told to a client in words, with when to try again', async () => {
    const { url } = await serve('session', { maxProcesses: 1 })
    const [one, other] = [await connect('SDK v1', 'Ann', url), await connect('SDK v1', 'Bob', url)]
    await one.call('browser.goto', { page: 'one' })
    expect(await other.call('browser.page')).toMatch(/all 1 that it may have are in use.* try again in \d+ s/)
    expect((await one.call('browser.page')).page).toBe('one')
  })
})

describe('an edit of the file', () => {
  it('ends all processes of a source that became another', async () => {
    const running = await serve('session')
    const [one, other] = [
      await connect('SDK v1', 'Ann', running.url),
      await connect('SDK v2, modern', 'Bob', running.url),
    ]
    const pids = await twoPages(one, other)
    running.edit(configOf('shared'))
    await untilGone(pids)
    await expect.poll(async () => (await one.call('browser.page')).page).toBe('about:blank')
    expect(await other.call('browser.page')).toEqual(await one.call('browser.page'))
  })
})

describe('clients over stdio beside a running gateway (N9)', () => {
  it.each(['SDK v1', 'SDK v2, modern'] as const)(
    '%s: each bridge has a process of its own, which ends with it; all end with the gateway, however it ends',
    async (kind) => {
      const gateway = await startGateway(configOf('session'))
      open.push(() => gateway.dispose())
      const args = [builtCli(), 'stdio', '--config', gateway.file, '--data-path', `${gateway.folder}/data`]
      const [one, other] = [await openClient(kind, 'Ann', { args }), await openClient(kind, 'Ann', { args })]
      open.push(
        () => one.close(),
        () => other.close(),
      )
      const [first, second] = await twoPages(one, other)
      await one.close()
      await untilGone([first!])
      expect(isAlive(second!)).toBe(true)
      process.kill(gateway.pid, 'SIGKILL')
      await untilGone([second!])
    },
  )
})
