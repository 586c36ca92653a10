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
  createGuardedFetch({ trustedHosts: new Set(trusted), allowPrivate: false, timeoutMs: 1000 })
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
    const fetch = fetchOf(['127.0.0.1'])
    expect((await fetch(new URL(`${canary.url}/moved`), options)).status).toBe(307)
    expect(canary.seen.map(({ url }) => url)).toEqual(['/moved'])
    await fetch.close()
  })

  it('speaks http and https only', async () => {
    const fetch = fetchOf()
    await expect(fetch(new URL('file:///etc/passwd'), options)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await fetch.close()
  })

  it('says that nothing was sent where nobody listens', async () => {
    const gone = await startEchoApi()
    await gone.close()
    const fetch = fetchOf(['127.0.0.1'])
    await expect(fetch(new URL(gone.url), options)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    await fetch.close()
  })
})
