// Who is measured beside us: relays on the libraries that others build on, and gateways that can be installed.
// Each is a process on loopback that is ended by its id.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { answerTo, toSessionBytes } from '../gateway/load.mjs'
import { kept, stop } from '../gateway/processes.mjs'
import { messageIn } from '../speed/way.mjs'
import { eventCallers } from './event-stream.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
/** Where `install.mjs` puts what it gets. */
export const home = here('../../.bench-peers')
export const places = {
  hub: join(home, 'npm/node_modules/mcp-hub/dist/cli.js'),
  goSdk: join(home, 'bin/go-sdk'),
  mcpGo: join(home, 'bin/mcp-go'),
  python: join(home, 'python/bin/python'),
}

/** A program that takes the sources as JSON and writes its port as the first line. */
const withPort = (command, args, path) => async (sources) => {
  const child = kept(spawn(command, [...args, JSON.stringify(sources)], { stdio: ['ignore', 'pipe', 'inherit'] }))
  const port = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => Number(line)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${command} ended with ${code}`))),
  ])
  return { port, path, pid: child.pid, stop: () => stop(child) }
}

const startHub = async (sources) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-peer-'))
  const file = join(folder, 'servers.json')
  writeFileSync(file, JSON.stringify({ mcpServers: sources }))
  const port = await freePort()
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const args = [places.hub, '--port', String(port), '--config', file]
  const child = kept(spawn(process.execPath, args, { stdio: 'ignore', env }))
  const address = { port, path: '/mcp' }
  return {
    ...address,
    ...eventCallers(address),
    pid: child.pid,
    stop: async () => {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const all = [
  { name: 'SDK v1', start: withPort(process.execPath, [here('sdk-v1-relay.mjs')], '/mcp') },
  { name: 'mcp-hub', needs: places.hub, start: startHub },
  { name: 'go-sdk', needs: places.goSdk, start: withPort(places.goSdk, [], '/mcp') },
  { name: 'mcp-go', needs: places.mcpGo, start: withPort(places.mcpGo, [], '/mcp') },
  { name: 'FastMCP', needs: places.python, start: withPort(places.python, [here('fastmcp-proxy.py')], '/mcp') },
]

/** Those that are there, and a sentence for each that is not. */
export const findPeers = () => {
  const isThere = ({ needs }) => needs === undefined || existsSync(needs)
  const absent = all.filter((peer) => !isThere(peer)).map(({ name }) => `${name} (not installed)`)
  return {
    peers: all.filter(isThere).map((peer) => ({
      ...peer,
      start: (sources) => startReady(peer, sources).catch((error) => explain(peer, error)),
    })),
    missing: [...absent, 'agentgateway (neither npm nor PyPI has its program)'],
  }
}

/** All of them at once, since starting is not what is measured; those that start, each with its target. */
export const startPeers = async (peers, sources) => {
  const targets = await Promise.all(peers.map(({ start }) => start(sources)))
  return peers.map((peer, index) => ({ peer, target: targets[index] })).filter(({ target }) => target !== undefined)
}

/** No target: one peer that does not start ends nobody's run. */
const explain = ({ name }, { message }) => console.log(`without ${name}: ${message}`)

/** Started, and everything listed; `toName` finds the name that it gave to a tool. */
const startReady = async (peer, sources) => {
  const target = await peer.start(sources)
  const isListed = (names) =>
    Object.keys(sources).every((name, _, { length }) => length === 1 || names.some((listed) => listed.includes(name)))
  for (const endAt = performance.now() + 60_000; ; ) {
    const names = await namesOf(target).catch(() => [])
    if (names.length > 0 && isListed(names))
      return { ...target, toName: (tool) => names.find((name) => name.endsWith(tool)) }
    if (performance.now() > endAt) throw new Error(`${peer.name} lists nothing after a minute.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const namesOf = async (target) => {
  const bytes = await (target.toAsked ?? toSessionBytes)(target, 'tools/list')
  return messageIn(await answerTo(target, bytes)).result.tools.map(({ name }) => name)
}
