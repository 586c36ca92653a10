import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'

/** A script with nothing alive in it but the call it awaits; rejects with its exit code and its output. */
const runScript = async (body: string): Promise<string> => {
  const file = join(mkdtempSync(join(tmpdir(), 'pegboard-script-')), 'script.mjs')
  const library = pathToFileURL(join(dirname(builtCli()), '..', 'index.js')).href
  writeFileSync(file, `import { createGateway, defineTool } from ${JSON.stringify(library)}\n${body}`)
  try {
    return (await promisify(execFile)(process.execPath, [file])).stdout.trim()
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
}

describe('a plain script', () => {
  it.each([20, 1100])('lives through the backoff of %i ms before a retry (D3)', async (backoffMs) => {
    const said = await runScript(`
      let tries = 0
      const f = defineTool({ name: 'f', idempotent: true, handler: async () => {
        if (++tries < 3) throw new Error('not yet')
        return 'ok after ' + tries
      } })
      const board = createGateway({ retry: { attempts: 3, backoffMs: ${backoffMs}, maxBackoffMs: ${backoffMs} }, tools: [f] })
      console.log(await board.run('f'))`)
    expect(said).toBe('ok after 3')
  })

  it.each([300, 1300])('hears of a deadline of %i ms, with nothing else left to wait for (D3)', async (timeoutMs) => {
    const said = await runScript(`
      const never = defineTool({ name: 'never', timeoutMs: ${timeoutMs}, handler: () => new Promise(() => {}) })
      const board = createGateway({ tools: [never] })
      console.log(await board.run('never').catch((error) => error.code))`)
    expect(said).toBe('DEADLINE_EXCEEDED')
  })

  it('waits for its turn behind calls that hang (D3)', async () => {
    const said = await runScript(`
      const never = defineTool({ name: 'never', timeoutMs: 200, handler: () => new Promise(() => {}) })
      const board = createGateway({ tools: [never], limits: { concurrencyPerTool: 1 } })
      const codes = await Promise.all([1, 2, 3].map(() => board.run('never').catch((error) => error.code)))
      console.log(codes.join())`)
    expect(said).toBe('DEADLINE_EXCEEDED,DEADLINE_EXCEEDED,DEADLINE_EXCEEDED')
  })

  it('is kept by nothing after its last call, whatever the board still has to tidy (D3)', async () => {
    const said = await runScript(`
      const quick = defineTool({ name: 'quick', handler: async () => 'done' })
      const board = createGateway({ tools: [quick] })
      const before = process.getActiveResourcesInfo().sort().join()
      const running = board.run('quick')
      const during = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
      console.log(await running, during, process.getActiveResourcesInfo().sort().join() === before)`)
    expect(said).toBe('done 1 true')
  })
})
