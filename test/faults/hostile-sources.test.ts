import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import {
  faultServer,
  type GatewayProcess,
  peakMemoryMb,
  startGateway,
  untilListed,
} from '../helpers/gateway-process.js'

// One source per flood: a server that floods is ended, and the next case should not have to wait for its return.
const overStdio = ['huge', 'endless', 'deep']
const overHttp = ['huge', 'endless', 'deep', 'bomb', 'endless_events']

let gateway: GatewayProcess
let hostile: ChildProcess

beforeAll(async () => {
  hostile = fork(fileURLToPath(new URL('../helpers/servers/hostile-http.mjs', import.meta.url)))
  const [{ url }] = (await once(hostile, 'message')) as [{ readonly url: string }]
  const sources = {
    good: { type: 'stdio', ...fixtureCommand('stdio-raw') },
    http: { type: 'http', url },
    ...Object.fromEntries(overStdio.map((name) => [`stdio_${name}`, faultServer('hostile-stdio', name)])),
  }
  gateway = await startGateway({ sources })
  await untilListed(gateway.client, Object.keys(sources))
})

afterAll(async () => {
  await gateway?.dispose()
  hostile?.kill('SIGKILL')
})

/** F18, T29, T31: the answer is refused, everybody else goes on, and what it took never came near its size. */
const expectRefusal = async (tool: string): Promise<void> => {
  const before = peakMemoryMb(gateway.pid) ?? 0
  const refused = await gateway.client.call(tool, {})
  expect(refused.isError).toBe(true)
  expect(refused.text.length).toBeLessThan(2000)
  expect((await gateway.client.call('good.add', { a: 1, b: 1 })).text).toBe('2')
  // The bound of an answer is 16 MiB, held once as bytes and perhaps once as text; the rest is the heap's own slack.
  expect((peakMemoryMb(gateway.pid) ?? 0) - before).toBeLessThan(160)
}

describe('answers of a hostile source', () => {
  it.each(overStdio)('F18 are refused within bounded memory over stdio: %s', (flood) =>
    expectRefusal(`stdio_${flood}.${flood}`),
  )

  it.each(overHttp)('F18 T31 are refused within bounded memory over HTTP: %s', (flood) =>
    expectRefusal(`http.${flood}`),
  )
})
