// Every route × every spelling × every role that may not: who is let in?
import { createHmac } from 'node:crypto'
import { inParallel, json, request } from './wire.mjs'

const base64 = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const token = (header, payload, secret = 'guess') => {
  const signed = `${base64(header)}.${base64(payload)}`
  return `${signed}.${header.alg === 'none' ? '' : createHmac('sha256', secret).update(signed).digest('base64url')}`
}
const admin = { sub: 'admin', aud: 'pegboard', scope: 'admin', exp: 4e9 }

/** Who knocks: each with the headers it knocks with. None of them may administer anything. */
export const rolesOf = (keys) => ({
  nobody: {},
  read: { Authorization: `Bearer ${keys.read}` },
  write: { Authorization: `Bearer ${keys.write}` },
  narrow: { Authorization: `Bearer ${keys.narrow}` },
  garbage: { Authorization: 'Bearer garbage' },
  empty: { Authorization: 'Bearer ' },
  basic: { Authorization: `Basic ${Buffer.from(`admin:${keys.read}`).toString('base64')}` },
  'upper case': { Authorization: `Bearer ${keys.write.toUpperCase()}` },
  'two keys': { Authorization: [`Bearer ${keys.read}`, `Bearer ${keys.write}`] },
  cookie: { Cookie: `key=${keys.write}; session=admin` },
  'a name': { 'X-User': 'admin', 'X-Forwarded-User': 'admin', 'X-Remote-User': 'admin' },
  'an address': { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
  // T12: tokens that others made, or that say what they like.
  'alg none': { Authorization: `Bearer ${token({ alg: 'none', typ: 'JWT' }, admin)}` },
  'a token of another service': {
    Authorization: `Bearer ${token({ alg: 'HS256', typ: 'JWT' }, { ...admin, aud: 'other', iss: 'https://issuer.example' })}`,
  },
  'an expired token': { Authorization: `Bearer ${token({ alg: 'HS256', kid: '../../x' }, { ...admin, exp: 1 })}` },
})

const spellings = [
  (path) => path,
  (path) => path.replace('/api/', '/api//'),
  (path) => path.replace('/admin', '/%61dmin'),
  (path) => `${path}/`,
  (path) => path.replace('/api/admin', '/x/../api/admin'),
  (path) => path.toUpperCase(),
  (path) => `${path};x=1`,
]

/** Gives one row per request: what was asked, and whether it was let in. */
export const attackDoors = async (gateway, keys, { quick }) => {
  const document = await (
    await fetch(`${gateway.url}/api/admin/v1/openapi.json`, {
      headers: { authorization: `Bearer ${gateway.adminKey}` },
    })
  ).json()
  const routes = Object.entries(document.paths ?? document.data.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, 'x') })),
  )
  const evil = JSON.stringify({ name: 'evil', type: 'stdio', command: 'sh', args: ['-c', 'id > PWNED'] })
  const rows = []
  const knock = async ({ method, path }, role, headers) => {
    const body = method === 'GET' ? '' : evil
    const { status } = await request(gateway.port, { method, path, headers: { ...json, ...headers }, body })
    rows.push({ what: `${method} ${path} by ${role}`, status, in: status >= 200 && status < 300 })
  }
  const ways = quick ? spellings.slice(0, 3) : spellings
  await inParallel(
    routes.flatMap(({ method, path }) =>
      ways.flatMap((spell) =>
        Object.entries(rolesOf(keys)).map(
          ([role, headers]) =>
            () =>
              knock({ method, path: spell(path) }, role, headers),
        ),
      ),
    ),
  )
  return rows
}
