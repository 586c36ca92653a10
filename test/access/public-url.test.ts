import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { ask } from '../helpers/raw-http.js'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

const home = mkdtempSync(join(tmpdir(), 'pegboard-public-'))
const cleanup: (() => unknown)[] = [() => rmSync(home, { recursive: true, force: true })]
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

it('a gateway behind a proxy is reached by its public name, asks for keys, and tells that name (O7)', async () => {
  const args = [cliPath(), 'serve', '--port', '0', '--data-path', join(home, 'data')]
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: bareEnv(home, { PEGBOARD_PUBLIC_URL: 'https://tools.example.com/board' }),
  })
  let said = ''
  child.stderr.on('data', (part) => {
    said += part
  })
  cleanup.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  await expect.poll(() => said).toContain('serves MCP at https://tools.example.com/board/mcp')
  const port = Number(/Listening: http:\/\/127\.0\.0\.1:(\d+)/.exec(said)![1])
  expect(said).toContain('Open the console: https://tools.example.com/board/ and paste it.')
  const key = readFileSync(join(home, 'data', 'admin.key'), 'utf8').trim()
  const asProxy = (...more: string[]) => ask(port, 'GET /api/v1/tools', ['Host: tools.example.com', ...more])
  expect((await asProxy()).status).toBe(401)
  expect((await asProxy(`X-Api-Key: ${key}`)).status).toBe(200)
  expect((await asProxy(`X-Api-Key: ${key}`, 'Origin: https://tools.example.com')).status).toBe(200)
  expect((await asProxy(`X-Api-Key: ${key}`, 'Origin: https://evil.example')).status).toBe(403)
  // The proxy's callers look local, so those who are local are asked as well.
  expect((await ask(port, 'GET /api/v1/tools', [`Host: 127.0.0.1:${port}`])).status).toBe(401)
})
