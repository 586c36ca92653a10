import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../http/auth-loopback.js'
import { createHttpHost, type HttpHost } from '../../http/host.js'
import { consoleRoutes } from './console-files.js'

describe('the files of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-files-'))
  let host: HttpHost
  let url: string
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Pegboard</title>')
    writeFileSync(join(folder, 'assets', 'index-abc.js'), 'export {}')
    writeFileSync(join(folder, 'assets', 'index-abc.js.map'), '{}')
    writeFileSync(join(folder, 'secret.txt'), 'hush')
    host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: false }) })
    host.addRoutes(consoleRoutes(folder))
    url = (await host.listen({ port: 0 })).url
  })
  afterAll(async () => {
    await host.close({ graceMs: 0 })
    rmSync(folder, { recursive: true, force: true })
  })

  it('are served to anybody, under a policy that lets nothing foreign in (T38)', async () => {
    const page = await fetch(`${url}/`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    expect(await page.text()).toContain('Pegboard')
  })

  it('are zipped where the reader takes it, and kept for ever under their hashed names', async () => {
    const zipped = await fetch(`${url}/assets/index-abc.js`)
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(zipped.headers.get('cache-control')).toContain('immutable')
    expect(await zipped.text()).toBe('export {}')
    const plain = await fetch(`${url}/assets/index-abc.js`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })

  it.each(['/assets/..%2fsecret.txt', '/assets/%2e%2e%2fsecret.txt', '/assets/index-abc.js.map', '/secret.txt'])(
    'are the only files: %s is none',
    async (path) => {
      const { status } = await fetch(url + path)
      expect([400, 404]).toContain(status)
    },
  )

  it('are no routes at all where they were not built', () => {
    expect(consoleRoutes(join(folder, 'nowhere'))).toEqual([])
  })
})
