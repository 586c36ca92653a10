// One of two replicas without a store: `holder` runs the child, `asker` reaches it through the holder. Both serve MCP over HTTP.
// node replica.mjs holder | node replica.mjs asker PORT-OF-HOLDER
import { randomBytes } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { upstreamCommand } from './processes.mjs'

const build = process.env.BENCH_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url))
const from = (name) => import(pathToFileURL(`${build}/${name}.js`).href)
const [role, holderPort] = process.argv.slice(2)

const { createGateway } = await from('gateway')
const { createMcpFace } = await from('faces/mcp/face')
const { createMcpEndpoint } = await from('faces/mcp/http/endpoint')
const { plainProfile } = await from('faces/mcp/profile')
const { createHttpHost } = await from('http/host')
const { createAuthenticator } = await from('http/auth-loopback')
const { systemClock: clock } = await from('model/clock')
const { silentLogger: logger } = await from('telemetry/logger')
const { createSeals } = await from('model/seal')
const { openPeers } = await from('fleet/peer-client')
const { openPeerLinks, peerSourcesOf } = await from('serving/peer-links')

const memberOf = (name, port) => {
  const address = port && `http://127.0.0.1:${port}`
  return { name, address, instance: name, version: '0', state: 'ready', secrets: [], silentMs: 0, isUs: name === role }
}
const members = () => [memberOf('holder', holderPort), memberOf('asker')]
const peers = openPeers({ seals: createSeals('a secret of two replicas'), members, now: Date.now }, clock, logger)
const gateway = createGateway()
const face = createMcpFace({ gateway, serverInfo: { name: 'replica', version: '0' }, clock })
const endpoint = createMcpEndpoint({ face, findProfile: () => plainProfile, clock, logger })
const host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
host.addRoutes(endpoint.routes)
const common = { name: 'up', clientInfo: { name: 'replica', version: '0' }, clock, logger }
if (role === 'holder') {
  const { createStdioHost } = await from('sources/stdio/sessions')
  const { createStdioSource } = await from('sources/stdio/stdio')
  const stdio = createStdioHost({ clock, logger, hostEnv: process.env })
  host.onUpgrade(openPeerLinks(gateway, peers, () => ({ at: 'here', epoch: 1 }), logger).route)
  await gateway.addSource('up', createStdioSource({ ...common, ...upstreamCommand(1), host: stdio }))
  process.once('exit', () => void stdio.close())
} else if (role === 'asker') {
  const open = peerSourcesOf({ members }, peers)
  await gateway.addSource('up', open({ source: 'up', replica: 'holder', epoch: 1 }, common))
} else {
  // As any gateway reaches another, by MCP over HTTP: what a request per call would cost at least.
  const { createHttpSource } = await from('sources/http/http')
  await gateway.addSource('up', createHttpSource({ ...common, url: `http://127.0.0.1:${holderPort}/mcp` }))
}
const { url } = await host.listen({ host: '127.0.0.1', port: 0 })
process.once('SIGTERM', async () => {
  await gateway.close()
  process.exit(0)
})
process.send({ port: Number(new URL(url).port), id: randomBytes(2).toString('hex') })
