import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { serveFixture } from './fixtures/serve.mjs'

const program = join(resolve(process.env.PEGBOARD_DIST ?? 'dist'), 'cli', 'main.js')

/** `pegboard serve` before a fixture of this era (of both, and then unpinned) in transparent mode, beside so many others that nobody may see. */
export const startGateway = async ({ era, others, folder }) => {
  const fixture = await serveFixture(era)
  const crowd = others > 0 ? await Promise.all([serveFixture('legacy'), serveFixture('modern')]) : []
  const home = mkdtempSync(join(folder, 'gateway-'))
  const port = await freePort()
  // The others have the same tools, prompts and URIs: what is hidden must not stand in anybody's way.
  const hidden = Array.from({ length: others }, (_, at) => [
    `other_${at + 1}`,
    { type: 'http', url: crowd[at % 2].url },
  ])
  const config = {
    sources: {
      fixture: { type: 'http', url: fixture.url, ...(era === 'dual' ? {} : { era }) },
      ...Object.fromEntries(hidden),
    },
    profiles: { default: { expose: 'flat', namespacing: false, names: 'exact', allow: ['fixture.*'] } },
    storage: { backend: 'memory', path: join(home, 'tools.json') },
    server: { port },
  }
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
  const child = spawn(process.execPath, [program, 'serve', '--config', join(home, 'pegboard.json')], {
    cwd: home,
    stdio: 'ignore',
  })
  await untilReady(child, `http://localhost:${port}/api/v1/sources`)
  return {
    url: `http://localhost:${port}/mcp`,
    fixture: fixture.url.replace('127.0.0.1', 'localhost'),
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await Promise.all([fixture, ...crowd].map((each) => each.close()))
    },
  }
}

export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const untilReady = async (child, url) => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}.`)
    // Every source is listed from the start, and is ready or not once it is no longer starting.
    const ready = await fetch(url)
      .then((answer) => answer.json())
      .then(
        ({ sources }) => sources.length > 0 && sources.every(({ state }) => state !== 'starting'),
        () => false,
      )
    if (ready) return
    await new Promise((next) => setTimeout(next, 20))
  }
}
