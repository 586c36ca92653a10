import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { clean, connect } from '../../../test/helpers/scripted-source.js'

describe('a server behind TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-tls-'))
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  const made = spawnSync('openssl', [...args, '-keyout', key, '-out', cert]).status === 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.skipIf(!made)('whose certificate nobody vouches for gets nothing of a request', async () => {
    let heard = 0
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', () => heard++)
    })
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    clean.push(() => server.close())
    const peer = connect(`https://localhost:${(server.address() as AddressInfo).port}/mcp`)
    await expect(peer.request('tools/call')).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      notSent: true,
      details: { reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    expect(heard).toBe(0)
  })
})
