// Hostile servers over every carrier, all on one board with an honest one: that one must never notice.
import { stdioServer } from './gateway.mjs'
import { deeds } from './servers/hostile.mjs'

/** The sources of each carrier, by name. */
export const carriers = ({ port, carriers: broken, frames }) => {
  // The largest lists once: what is tried is the carrier, not the board's size.
  const names = Object.keys(deeds)
  const small = names.filter((name) => name !== 'many_tools')
  const over = (list, make) => Object.fromEntries(list.map((name) => [name, make(name)]))
  const base = `http://127.0.0.1:${port}`
  return {
    stdio: over(names, (name) => stdioServer('hostile-stdio.mjs', name)),
    HTTP: {
      ...over(small, (name) => ({ type: 'http', url: `${base}/http/${name}` })),
      ...over(broken, (name) => ({ type: 'http', url: `${base}/broken/${name}` })),
    },
    SSE: {
      ...over(small, (name) => ({ type: 'sse', url: `${base}/sse/${name}` })),
      ...over(
        broken.map((name) => `sse_${name}`),
        (name) => ({ type: 'sse', url: `${base}/broken/${name.slice(4)}` }),
      ),
    },
    WebSocket: over([...small, ...frames], (name) => ({ type: 'websocket', url: `ws://127.0.0.1:${port}/ws/${name}` })),
  }
}

const headersOf = ({ adminKey }) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${adminKey}`,
})
const call = async (gateway, name, args, ms) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  try {
    const response = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: headersOf(gateway),
      body,
      signal: AbortSignal.timeout(ms),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: error.name }
  }
}

/** One row per hostile server: `bad` where the honest one answered otherwise than ever, or something was polluted. */
export const attackServers = async (gateway, names) => {
  const rows = []
  for (const name of names) {
    const { status } = await call(gateway, `${name}.bite`, {}, 3000)
    const honest = await call(gateway, 'up.echo', { after: name }, 10_000)
    const spoiled = !honest.text.includes('after') || /isError|forgery/.test(honest.text) || !gateway.isAlive()
    const { lag, busy } = await gateway.look()
    rows.push({ what: name, status, bad: spoiled, lag, busy, peak: gateway.peakMb() })
  }
  const pages = ['/api/v1/tools', '/api/v1/sources', '/metrics']
  for (const path of pages) {
    const response = await fetch(`${gateway.url}${path}`, { headers: headersOf(gateway) })
    rows.push({ what: path, status: response.status, bad: !response.ok })
    await response.arrayBuffer()
  }
  return rows
}
