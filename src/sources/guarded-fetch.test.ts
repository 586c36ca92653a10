import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EchoApi, startEchoApi } from '../../test/helpers/echo-api.js'
import { createGuardedFetch } from './guarded-fetch.js'

let canary: EchoApi
beforeAll(async () => {
  canary = await startEchoApi((request, response) => {
    if (request.url !== '/moved') return false
    response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/reached` }).end()
    return true
  })
})
afterAll(() => canary.close())

const fetchOf = (trusted: readonly string[] = []) =>
  createGuardedFetch({ isTrusted: ({ origin }) => trusted.includes(origin), timeoutMs: 1000 })
const options = { signal: new AbortController().signal, maxBytes: 1000 }

describe('a guarded fetch (T10)', () => {
  it.each([
    '127.0.0.1',
    '[::ffff:127.0.0.1]',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    'localhost',
    '[::]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
  ])('does not reach %s', async (host) => {
    const fetch = fetchOf()
    await expect(fetch(new URL(`http://${host}:${canary.port}/steal`), options)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    expect(canary.seen).toEqual([])
    await fetch.close()
  })

  it('goes where the operator said, and follows nobody from there', async () => {
    const fetch = fetchOf([canary.url])
    expect((await fetch(new URL(`${canary.url}/moved`), options)).status).toBe(307)
    expect(canary.seen.map(({ url }) => url)).toEqual(['/moved'])
    await fetch.close()
  })

  it('trusts an origin and not its neighbours, also not under a name that was asked before (S18)', async () => {
    const neighbour = await startEchoApi()
    const named = canary.url.replace('127.0.0.1', 'localhost')
    const fetch = fetchOf([canary.url, named])
    await fetch(new URL(`${named}/`), options).catch(() => {})
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'])
      await expect(fetch(new URL(`http://${host}:${neighbour.port}/steal`), options), host).rejects.toMatchObject({
        code: 'ACCESS_DENIED',
      })
    // The same host and port by another scheme is another origin.
    await expect(fetch(new URL(`https://127.0.0.1:${canary.port}/`), options)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    expect(neighbour.seen).toEqual([])
    await fetch.close()
    await neighbour.close()
  })

  it('speaks http and https only', async () => {
    const fetch = fetchOf()
    await expect(fetch(new URL('file:///etc/passwd'), options)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await fetch.close()
  })

  it('says that nothing was sent where nobody listens', async () => {
    const gone = await startEchoApi()
    await gone.close()
    const fetch = fetchOf([gone.url])
    await expect(fetch(new URL(gone.url), options)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    await fetch.close()
  })
})
