import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { LegacyClient, modernCall } from './mcp-client.js'
import { baseConfig, type ReplicaProcess, startReplica } from './replicas.mjs'

const asker = fileURLToPath(new URL('../helpers/servers/asker.mjs', import.meta.url))
const shifted = new URL('./shifted-clock.mjs', import.meta.url)
const hourMs = 3_600_000
const ada = { action: 'accept', content: { name: 'Ada' } }

describePostgres('replicas whose clocks disagree by an hour', () => {
  const replicas: ReplicaProcess[] = []
  const at = (index: number): string => replicas[index]!.url
  const whose = ['right', 'an hour fast', 'an hour slow']

  beforeAll(async () => {
    const url = await newDatabase()
    const asking = (hosting: string) => ({ type: 'stdio', command: process.execPath, args: [asker, hosting], hosting })
    const server = { firstListMs: 60_000, limits: { sessionMaxAgeMs: hourMs / 2 } }
    const config = baseConfig({ server, sources: { each: asking('each'), one: asking('one') } })
    const clocks = [[], ['--import', `${shifted}?by=${hourMs}`], ['--import', `${shifted}?by=${-hourMs}`]]
    const started = clocks.map((nodeArgs, index) => startReplica({ url, config, name: `r${index + 1}`, nodeArgs }))
    replicas.push(...(await Promise.all(started)))
    await Promise.all(replicas.map((each) => each.ready()))
  })
  afterAll(async () => void (await Promise.all(replicas.map((each) => each.dispose()))))

  for (const asked of [0, 1, 2])
    for (const answering of [0, 1, 2].filter((other) => other !== asked))
      for (const source of ['each', 'one']) {
        const where = `${whose[asked]}, answered where it is ${whose[answering]}`

        it(`take each other's states: of ${source}, asked where the clock is ${where}`, async () => {
          const { result } = await (await modernCall(at(asked), `${source}.greet`)).next()
          const [name] = Object.keys(result.inputRequests)
          const more = { requestState: result.requestState, inputResponses: { [name!]: ada } }
          const answered = await (await modernCall(at(answering), `${source}.greet`, more)).next()
          expect(answered).toMatchObject({ result: { content: [{ text: 'Hello, Ada' }] } })
        })
      }

  for (const born of [0, 1, 2])
    it(`take a session of half an hour that began where the clock is ${whose[born]}`, async () => {
      const client = await LegacyClient.begin(at(born))
      for (const url of replicas.map((each) => each.url))
        expect((await client.post(url, { id: 1, method: 'ping' })).status).toBe(200)
    })
})
