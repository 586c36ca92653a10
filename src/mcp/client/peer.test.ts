import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metaOf, stampRequest, stripReserved } from '../message.js'
import type { PeerInfo } from './handshake.js'
import { createToParams } from './peer.js'

const clientInfo = { name: 'board', version: '1' }
const peer = (era: 'legacy' | 'modern'): PeerInfo =>
  ({ era, version: era === 'modern' ? '2026-07-28' : '2025-11-25', capabilities: {} }) as unknown as PeerInfo

const keys = fc.constantFrom('name', 'arguments', 'pegboard/hops', 'io.modelcontextprotocol/logLevel', 'a"b', '_x')
const objects = fc.dictionary(keys, fc.jsonValue()).map((drawn) => JSON.parse(JSON.stringify(drawn)))

describe('the params of a request', () => {
  it("hold the caller's own keys and what the era wants, as an object of both would", () => {
    const toParams = createToParams({ clientInfo })
    fc.assert(
      fc.property(objects, fc.option(objects), objects, fc.option(fc.nat()), (params, meta, capabilities, token) => {
        const stamp = { version: '2026-07-28', capabilities, clientInfo }
        const request = { meta: meta ?? undefined, capabilities }
        const progress = token === null ? {} : { progressToken: token }
        const modern = toParams(peer('modern'), params, request).toText(token ?? undefined)!
        expect(JSON.parse(modern)).toEqual({
          ...params,
          _meta: { ...JSON.parse(JSON.stringify(stampRequest(meta ?? undefined, stamp))), ...progress },
        })
        const legacy = toParams(peer('legacy'), params, request).toText(token ?? undefined)!
        const kept = { ...stripReserved(meta ?? undefined), ...progress }
        expect(JSON.parse(legacy)).toEqual({ ...params, _meta: Object.keys(kept).length > 0 ? kept : undefined })
      }),
    )
  })

  it("take the metadata of the params where none is named, and keep the caller's token on this side", () => {
    const toParams = createToParams({ clientInfo })
    const params = { cursor: 'x', _meta: { progressToken: 7, 'dev.acme/x': 1 } }
    expect(toParams(peer('legacy'), params, {}).toText(undefined)).toBe('{"cursor":"x","_meta":{"dev.acme/x":1}}')
    expect(toParams(peer('legacy'), { _meta: { progressToken: 7 } }, {}).toText(undefined)).toBe('{}')
    expect(toParams(peer('legacy'), undefined, {}).toText(undefined)).toBeUndefined()
    expect(metaOf(JSON.parse(toParams(peer('modern'), undefined, { logLevel: 'info' }).toText(3)!))).toMatchObject({
      'io.modelcontextprotocol/logLevel': 'info',
      progressToken: 3,
    })
  })
})
