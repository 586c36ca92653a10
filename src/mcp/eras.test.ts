import { classifyInboundRequest } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyRequest, legacyVersions, negotiateVersion } from './eras.js'
import {
  checkHeaders,
  decodeHeaderValue,
  encodeHeaderValue,
  headerParams,
  paramHeaders,
  requestHeaders,
} from './headers.js'
import { isReservedMetaKey, metaKeys, stampRequest, stampResult, stripReserved } from './message.js'
import { httpStatusOf } from './rpc-error.js'

const stamp = { version: '2026-07-28', capabilities: {}, clientInfo: { name: 't', version: '1' } }
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

describe('versions', () => {
  it('echoes a version we speak and offers our newest otherwise (R49)', () => {
    for (const version of legacyVersions) expect(negotiateVersion(version)).toBe(version)
    for (const version of ['9999', undefined, 3, '2026-07-28']) expect(negotiateVersion(version)).toBe('2025-11-25')
  })
})

describe('statuses', () => {
  it.each([
    [-32700, 400, 400],
    [-32600, 400, 400],
    [-32601, 404, 200],
    [-32602, 200, 200],
    [-32603, 200, 200],
    [-32020, 400, 200],
    [-32021, 400, 200],
    [-32022, 400, 400],
    [-32002, 200, 200],
  ])('sends %i with %i to modern and %i to legacy clients', (code, modern, legacy) => {
    expect(httpStatusOf(code, 'modern')).toBe(modern)
    expect(httpStatusOf(code, 'legacy')).toBe(legacy)
  })
})

describe('classifyRequest', () => {
  const meta = (values: Record<string, unknown>) => ({ _meta: values }) as never

  it('takes the era from the request itself', () => {
    const modern = classifyRequest({
      method: 'tools/list',
      params: { _meta: stampRequest(undefined, { ...stamp, logLevel: 'info' }) },
    })
    expect(modern).toMatchObject({ era: 'modern', version: '2026-07-28', clientInfo: { name: 't' }, logLevel: 'info' })
    expect(classifyRequest({ method: 'tools/list', params: undefined })).toEqual({
      era: 'legacy',
      version: '2025-03-26',
    })
    expect(
      classifyRequest({
        method: 'tools/list',
        params: meta({ progressToken: 1 }),
        headers: { 'mcp-protocol-version': '2025-06-18' },
      }),
    ).toEqual({ era: 'legacy', version: '2025-06-18' })
    expect(
      classifyRequest({ method: 'initialize', params: {}, headers: { 'mcp-protocol-version': '2026-07-28' } }),
    ).toMatchObject({ era: 'legacy' })
  })

  it.each([
    [
      'an unknown version in _meta',
      { params: meta({ [metaKeys.protocolVersion]: '2099-01-01', [metaKeys.clientCapabilities]: {} }) },
      -32022,
    ],
    [
      'a legacy version in _meta',
      { params: meta({ [metaKeys.protocolVersion]: '2025-11-25', [metaKeys.clientCapabilities]: {} }) },
      -32022,
    ],
    ['a version that is no string', { params: meta({ [metaKeys.protocolVersion]: 3 }) }, -32602],
    ['no capabilities', { params: meta({ [metaKeys.protocolVersion]: '2026-07-28' }) }, -32602],
    [
      'capabilities that are an array',
      { params: meta({ [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: [] }) },
      -32602,
    ],
    ['a modern header without _meta', { params: {}, headers: { 'mcp-protocol-version': '2026-07-28' } }, -32602],
    ['an unknown header', { params: {}, headers: { 'mcp-protocol-version': '9999' } }, -32022],
  ])('rejects %s with 400 (R51)', (_name, request, code) => {
    const verdict = classifyRequest({ method: 'tools/list', ...request })
    expect(verdict).toMatchObject({ era: 'rejected', error: { code, httpStatus: 400 } })
    if (code === -32022) expect(verdict).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } })
  })

  it('agrees with the SDK about eras', () => {
    const bodies = [
      { method: 'tools/list', params: { _meta: stampRequest(undefined, stamp) } },
      { method: 'tools/list', params: {} },
      {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: stamp.clientInfo },
      },
    ]
    for (const body of bodies) {
      const ours = classifyRequest(body as never).era
      const headers =
        ours === 'modern'
          ? lower(requestHeaders({ version: stamp.version, method: body.method, params: undefined }))
          : {}
      const theirs = classifyInboundRequest({
        httpMethod: 'POST',
        protocolVersionHeader: headers['mcp-protocol-version'],
        mcpMethodHeader: headers['mcp-method'],
        body: { jsonrpc: '2.0', id: 1, ...body },
      } as never)
      expect(theirs.kind).toBe(ours)
    }
  })
})

describe('header values', () => {
  it('survive the trip, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => Buffer.from(text).toString() === text),
        (value) => {
          const header = encodeHeaderValue(value)
          expect(header).toMatch(/^[\x20-\x7e]+$/)
          expect(decodeHeaderValue(header)).toBe(value)
        },
      ),
    )
  })

  it.each(['=?base64?w6k?=', '=?base64?!!!?=', '=?base64?/w==?=', 'é', 'a\tb'])('refuses %j (R51)', (header) => {
    expect(decodeHeaderValue(header)).toBeUndefined()
  })

  it('encodes what looks encoded, and reads the marker in lower case only', () => {
    expect(decodeHeaderValue(encodeHeaderValue('=?base64?YQ==?='))).toBe('=?base64?YQ==?=')
    expect(decodeHeaderValue('=?BASE64?YQ==?=')).toBe('=?BASE64?YQ==?=')
  })
})

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    deep: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
    'x-mcp-header': { type: 'string' },
  },
}

describe('headerParams', () => {
  it('finds annotations through chains of properties', () => {
    expect(headerParams(schema)).toEqual({
      ok: true,
      params: [
        { header: 'Region', path: ['region'], type: 'string' },
        { header: 'Count', path: ['deep', 'count'], type: 'integer' },
        { header: 'Flag', path: ['flag'], type: 'boolean' },
      ],
    })
    expect(headerParams({ type: 'object' })).toEqual({ ok: true, params: [] })
    expect(headerParams(true)).toEqual({ ok: true, params: [] })
  })

  const at = (annotated: unknown) => ({ type: 'object', properties: { a: annotated } })
  const good = { type: 'string', 'x-mcp-header': 'A' }
  it.each([
    ['empty', at({ type: 'string', 'x-mcp-header': '' })],
    ['CRLF', at({ type: 'string', 'x-mcp-header': 'A\r\nB' })],
    ['no string', at({ type: 'string', 'x-mcp-header': 3 })],
    ['on a number', at({ type: 'number', 'x-mcp-header': 'A' })],
    ['without a type', at({ 'x-mcp-header': 'A' })],
    ['on array items', at({ type: 'array', items: good })],
    ['under anyOf', at({ anyOf: [good] })],
    ['under $defs', { ...at({}), $defs: { x: good } }],
    ['under not', at({ not: good })],
    ['at the root', { type: 'object', 'x-mcp-header': 'A' }],
    ['twice by case', { type: 'object', properties: { a: good, b: { type: 'string', 'x-mcp-header': 'a' } } }],
  ])('refuses an annotation %s (S150)', (_name, bad) => {
    expect(headerParams(bad)).toMatchObject({ ok: false })
  })

  it('gives up on a schema without end', () => {
    const bottomless: Record<string, unknown> = { type: 'object' }
    bottomless.properties = { a: bottomless }
    expect(headerParams(bottomless)).toMatchObject({ ok: false })
  })

  it('leaves absent and null arguments out', () => {
    const found = headerParams(schema)
    expect(found.ok && paramHeaders(found.params, { region: '北', deep: { count: null }, flag: false })).toEqual({
      'Mcp-Param-Region': '=?base64?5YyX?=',
      'Mcp-Param-Flag': 'false',
    })
  })
})

describe('headers', () => {
  const found = headerParams(schema)
  const params = found.ok ? found.params : []
  const request = (args: Record<string, unknown>) =>
    ({
      version: '2026-07-28',
      method: 'tools/call',
      params: { name: 'tool é', arguments: args },
      headerParams: params,
    }) as never

  it('built by the client satisfy the server, for any arguments', () => {
    const args = fc.record(
      {
        region: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null)),
        deep: fc.record({ count: fc.integer() }),
        flag: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(args, (values) => {
        expect(checkHeaders(request(values), lower(requestHeaders(request(values))))).toBeUndefined()
      }),
    )
  })

  it('compare integers as numbers (R52)', () => {
    const headers = lower(requestHeaders(request({ deep: { count: 42 } })))
    expect(checkHeaders(request({ deep: { count: 42 } }), { ...headers, 'mcp-param-count': '42.0' })).toBeUndefined()
    expect(checkHeaders(request({ deep: { count: 42 } }), { ...headers, 'mcp-param-count': '0x2a' })).toMatchObject({
      code: -32020,
    })
    expect(checkHeaders(request({ deep: { count: 42 } }), { ...headers, 'mcp-param-other': 'x' })).toBeUndefined()
  })

  it.each([
    ['mcp-method', undefined],
    ['mcp-method', 'tools/list'],
    ['mcp-method', 'Tools/Call'],
    ['mcp-protocol-version', undefined],
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-name', undefined],
    ['mcp-name', 'other'],
    ['mcp-name', 'tool \xe9'],
    ['mcp-name', ['a', 'b']],
    ['mcp-param-region', undefined],
    ['mcp-param-region', 'west'],
    ['mcp-param-flag', 'true'],
  ])('refuse %s: %j with 400 and -32020 (T26, R51, R52)', (name, value) => {
    const headers = { ...lower(requestHeaders(request({ region: 'east' }))), [name]: value }
    expect(checkHeaders(request({ region: 'east' }), headers)).toMatchObject({ code: -32020, httpStatus: 400 })
  })
})

describe('_meta', () => {
  it('loses reserved keys and keeps the rest, __proto__ included', () => {
    const meta = JSON.parse(
      '{"io.modelcontextprotocol/clientInfo":{},"com.mcp.x/a":1,"progressToken":3,"traceparent":"00-","dev.acme/x":{},"mcp/y":1,"__proto__":{"z":1}}',
    )
    const kept = stripReserved(meta)!
    expect(Object.keys(kept)).toEqual(['progressToken', 'traceparent', 'dev.acme/x', 'mcp/y', '__proto__'])
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
    expect(stripReserved({ 'io.mcp/x': 1 })).toBeUndefined()
    expect(stripReserved(kept)).toBe(kept)
  })

  it('is stamped for this hop', () => {
    expect(stampRequest({ [metaKeys.protocolVersion]: 'forged', a: 1 }, stamp)).toEqual({
      a: 1,
      [metaKeys.protocolVersion]: '2026-07-28',
      [metaKeys.clientCapabilities]: {},
      [metaKeys.clientInfo]: stamp.clientInfo,
    })
    expect(stampResult({ [metaKeys.serverInfo]: { name: 'upstream' } }, stamp.clientInfo)).toEqual({
      [metaKeys.serverInfo]: stamp.clientInfo,
    })
    expect(isReservedMetaKey('progressToken')).toBe(false)
  })
})
