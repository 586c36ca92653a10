import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { toConfig } from '../helpers/gateway-process.js'

describe('a port that is taken', () => {
  it('F30 ends the start with a message, before any source was started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-port-'))
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = (other.address() as AddressInfo).port
    const trace = join(folder, 'started')
    // A source that leaves a mark when it runs.
    const source = {
      type: 'stdio',
      command: process.execPath,
      args: ['-e', `require('fs').writeFileSync('${trace}', '')`],
    }
    const file = join(folder, 'pegboard.json')
    writeFileSync(file, toConfig({ sources: { source } }))
    const args = [
      builtCli(),
      'serve',
      '--json',
      '--port',
      String(port),
      '--config',
      file,
      '--data-path',
      join(folder, 'data'),
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'exit')
    expect(code).not.toBe(0)
    expect(said).toContain(String(port))
    expect(existsSync(trace)).toBe(false)
    other.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
