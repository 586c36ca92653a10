// Every schema bomb once, and all of them in one batch, with an honest call beside each.
import { bombs } from './bombs-list.mjs'
import { ask, bearer, json, request } from './wire.mjs'

export const attackBombs = async ({ port, adminKey: key, isAlive, look }) => {
  const rows = []
  for (const { name, arguments: args } of bombs) {
    const bombed = ask(port, 'legacy', 'tools/call', { name: `bomb.${name}`, arguments: args }, { key })
    const honest = ask(port, 'legacy', 'tools/call', { name: 'up.echo', arguments: { beside: name } }, { key })
    const { status } = await bombed
    const bad = status === 500 || !(await honest).text.includes('beside') || !isAlive()
    rows.push({ what: name, status, bad, ...(await look()) })
  }
  const calls = bombs.map(({ name, arguments: args }) => ({ tool: `bomb.${name}`, arguments: args }))
  const half = calls.slice(0, 64)
  const { status } = await request(port, {
    method: 'POST',
    path: '/api/v1/calls',
    headers: { ...json, ...bearer(key) },
    body: JSON.stringify({ calls: half }),
  })
  rows.push({ what: `a batch of ${half.length}`, status, bad: status === 500 || !isAlive(), ...(await look()) })
  return rows
}
