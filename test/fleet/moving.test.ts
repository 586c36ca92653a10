import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { type Answering, LegacyClient } from './mcp-client.js'
import { baseConfig, type FleetProcesses, type ReplicaProcess, startFleet } from './replicas.mjs'

const uri = 'book://page'
const server = fileURLToPath(new URL('./servers/pages.mjs', import.meta.url))

describePostgres('what a client follows of a child that one replica runs for all', () => {
  let fleet: FleetProcesses
  let client: LegacyClient
  let heard: Answering
  let asked: ReplicaProcess
  let nextId = 1

  const ask = async ({ url }: ReplicaProcess, method: string, params: object = {}): Promise<any> => {
    const answer: any = await (await client.post(url, { id: nextId++, method, params })).json()
    expect(answer.error, JSON.stringify(answer.error)).toBeUndefined()
    return answer.result
  }
  const holderAmong = (replicas: readonly ReplicaProcess[]): ReplicaProcess | undefined =>
    replicas.find((each) => /Held here: source:pages/.test(each.log()))
  /** Turns pages until one is told of: what is followed is followed anew a moment after a move. */
  const isTold = async (): Promise<void> => {
    let isHeard = false
    const told = heard
      .find(({ method }) => method === 'notifications/resources/updated')
      .then(({ params }) => {
        isHeard = true
        expect(params.uri).toBe(uri)
      })
    while (!isHeard) {
      await ask(asked, 'tools/call', { name: 'pages.turn', arguments: {} })
      await Promise.race([told, ask(asked, 'ping')])
    }
    await told
  }

  beforeAll(async () => {
    const config = baseConfig({
      server: { firstListMs: 60_000 },
      sources: { pages: { type: 'stdio', command: process.execPath, args: [server] } },
    })
    fleet = await startFleet({ url: await newDatabase(), config, leaseMs: 2000, drainMs: 500 })
    await fleet.ready()
    client = await LegacyClient.begin(fleet.urls[0]!)
    await ask(fleet.replicas[0]!, 'tools/list')
    // The one that is asked and told is not the one that runs it.
    asked = fleet.replicas.find((each) => each !== holderAmong(fleet.replicas))!
    heard = await client.listen(asked.url)
    await ask(asked, 'resources/subscribe', { uri })
  })
  afterAll(async () => fleet?.dispose())

  it('is told where it listens, and stays so when the holder is killed and when the next one leaves', async () => {
    await isTold()
    const prompts = await ask(asked, 'prompts/list')
    expect(prompts.prompts).toMatchObject([{ name: 'pages.read' }])
    const resources = await ask(asked, 'resources/list')
    const first = holderAmong(fleet.replicas)!
    const before = (await ask(asked, 'resources/read', { uri })).contents[0].text

    await first.stop('SIGKILL')
    // Asked between two holders: they wait for the next one, and what is listed stays listed.
    const [read, prompt, ...lists] = await Promise.all([
      ask(asked, 'resources/read', { uri }),
      ask(asked, 'prompts/get', { name: 'pages.read' }),
      ask(asked, 'prompts/list'),
      ask(asked, 'resources/list'),
    ])
    expect(lists).toEqual([prompts, resources])
    expect(prompt.messages[0].content.text).toBe(read.contents[0].text)
    expect(read.contents[0].text).not.toBe(before)
    await isTold()

    const rest = fleet.replicas.filter((each) => each !== first)
    const second = holderAmong(rest)!
    const last = rest.find((each) => each !== second)!
    if (second !== asked) {
      expect(await second.stop('SIGTERM')).toBe(0)
      await last.logged('Held here: source:pages')
      await isTold()
      expect(await ask(asked, 'prompts/list')).toEqual(prompts)
    }
  }, 180_000)
})
