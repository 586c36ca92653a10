import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readResults, runSuite } from './run-suite.mjs'
import { freePort } from './start-gateway.mjs'

const program = join(resolve(process.env.PEGBOARD_DIST ?? 'dist'), 'cli', 'main.js')

/** `pegboard serve` at which people sign in with a key, and such a key. */
export const startAuthorizationServer = async (folder) => {
  const home = mkdtempSync(join(folder, 'authorization-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const file = join(home, 'pegboard.json')
  writeFileSync(
    file,
    JSON.stringify({
      server: { port, publicUrl: url },
      auth: { people: {} },
      storage: { backend: 'json', path: join(home, 'data', 'tools.json') },
    }),
  )
  const child = spawn(process.execPath, [program, 'serve', '--config', file], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await untilListening(child)
  const made = await promisify(execFile)(
    process.execPath,
    [program, 'key', 'create', 'conformance', '--json', '--config', file],
    { cwd: home },
  )
  return {
    url,
    key: JSON.parse(made.stdout).key,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const untilListening = (child) =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4000)
      if (said.includes('Listening: ')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}: ${said}`)))
  })

/** All scenarios of the suite for authorization servers; the browser that it asks for is us. */
export const runAuthorizationSuite = async ({ url, key, folder }) => {
  const output = mkdtempSync(join(folder, 'authorization-server-'))
  const port = await freePort()
  const redirect = `http://127.0.0.1:${port}/callback`
  const registered = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'MCP conformance', redirect_uris: [redirect] }),
  })
  const { client_id: client } = await registered.json()
  const walked = new Set()
  const args = ['authorization', '--url', url, '--client-id', client, '--resource', `${url}/mcp`, '-p', String(port)]
  return runSuite([...args, '-o', output], (said) => {
    for (const [link] of said.matchAll(/https?:\/\/\S+\/authorize\?\S+(?=\s)/g)) {
      if (walked.has(link)) continue
      walked.add(link)
      void walk(link, key, url).catch((error) =>
        console.error(`The consent page could not be passed: ${error.message}`),
      )
    }
  }).then(() => readResults(output, 'authorization-server-'))
}

/** What a person does: reads the consent page, pastes the key, goes on, and is taken back. */
const walk = async (link, key, origin) => {
  const page = await fetch(link, { headers: { Accept: 'text/html' } })
  const text = await page.text()
  const [, round] = /name="round" value="([^"]+)"/.exec(text) ?? []
  if (round === undefined) throw new Error(`there is no form (${page.status})`)
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const answer = await fetch(`${origin}/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: origin },
    body: new URLSearchParams({ round, answer: 'allow', key }),
  })
  const back = answer.headers.get('location')
  if (back === null) throw new Error(`nobody is taken back (${answer.status})`)
  await fetch(back)
}
