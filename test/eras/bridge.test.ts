import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { type Beside, describeStdio } from './stdio-matrix.js'

let calls = async (): Promise<number> => 0

/** A gateway with the same configuration: the clients' own processes are bridges to it. */
const gateway: Beside = async (cli, words) => {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...words])
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = /Listening: (http:\/\/[^/]+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(`The gateway ended:\n${text}`)))
  })
  calls = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const counts = [...metrics.matchAll(/^pegboard_calls_total\{[^}]*\} (\d+)$/gm)].map(([, count]) => Number(count))
    return counts.reduce((sum, count) => sum + count, 0)
  }
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
}

describeStdio('the era matrix through a bridge (U5)', gateway)

it('all of it went through the gateway (U5)', async () => {
  expect(await calls()).toBeGreaterThan(50)
})
