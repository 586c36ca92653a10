// Malformed requests on every route that takes one: nothing may end the process, show its insides or answer 500.
import { bearer, json, request, sendBytes, statusOf } from './wire.mjs'

const deep = (levels, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)
const call = (more) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'up.echo', arguments: {} }, ...more })

const bodies = [
  '',
  ' ',
  'null',
  '[]',
  '7',
  '"x"',
  '{',
  '{"a":}',
  '\u0000',
  '\ufeff{}',
  '{}{}',
  'NaN',
  '{"a":1e400}',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  deep(63),
  deep(65),
  deep(5000),
  deep(100_000),
  deep(60, '{"a":', '}'),
  `{"a":"${'x'.repeat(1_000_000)}"}`,
  `[${'{},'.repeat(50_000)}{}]`,
  `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  ...[null, 1.5, {}, [], '', 'x'.repeat(10_000), -0, 2 ** 60, true].map((id) => call({ id })),
  ...[7, '', '__proto__', 'rpc.x', 'Tools/Call', 'tools/call\u0000', 'x'.repeat(100_000), null, {}].map((method) =>
    call({ method }),
  ),
  ...[
    null,
    [],
    'x',
    7,
    { name: null },
    { name: {} },
    { name: 'up.echo', arguments: [] },
    { name: 'up.echo', arguments: null },
    { name: 'up.echo', arguments: 'x' },
    { name: '' },
    { name: '\ud800' },
    { name: 'n'.repeat(10_000) },
    { name: '__proto__' },
    { name: 'constructor' },
    { name: 'up.echo', arguments: {}, _meta: 7 },
    { name: 'up.echo', _meta: { progressToken: {} } },
    { name: 'up.echo', _meta: { 'io.modelcontextprotocol/protocolVersion': '9999' } },
  ].map((params) => call({ params })),
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nobody' } }),
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: {}, error: {} }),
  JSON.stringify(Array.from({ length: 1000 }, () => JSON.parse(call({})))),
  '{"method":"tools/list","Method":"tools/call","jsonrpc":"2.0","id":1}',
  '{"query":"(a+)+$","limit":-1}',
  '{"calls":7}',
  '{"calls":[]}',
  '{"tool_calls":[{"id":{},"function":7}]}',
  JSON.stringify({ calls: Array.from({ length: 10_000 }, () => ({ tool: 'x' })) }),
]
const routes = [
  '/mcp',
  '/mcp/narrow',
  '/api/v1/calls',
  '/api/v1/tool-calls',
  '/api/v1/tools/up.echo/call',
  '/api/v1/search',
]
const headers = [
  {},
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json\ta' },
  { 'Content-Encoding': 'gzip' },
  { Accept: 'text/html' },
  { 'MCP-Protocol-Version': '2026-07-28' },
  { 'MCP-Protocol-Version': '9999-99-99', 'Mcp-Method': 'x' },
  { 'Mcp-Session-Id': 'x'.repeat(10_000) },
  { 'Last-Event-ID': 'x'.repeat(10_000) },
  { 'Mcp-Name': '=?base64?!!!?=' },
  { Expect: '100-continue' },
  { 'Transfer-Encoding': 'identity' },
  { Range: 'bytes=0-99999999' },
  { 'Accept-Language': 'x'.repeat(8000) },
  { Traceparent: 'x' },
]

/** Requests that no HTTP client would write. */
const rawOnes = (port) => {
  const host = `Host: 127.0.0.1:${port}\r\n`
  const post = `POST /mcp HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
  return [
    'GET / HTTP/0.9\r\n\r\n',
    'GET\r\n\r\n',
    '\r\n\r\n',
    '\u0000\u0001\u0002',
    `GET / HTTP/9.9\r\n${host}\r\n`,
    `GET http://evil/ HTTP/1.1\r\n${host}\r\n`,
    `CONNECT evil:80 HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}\r\n`,
    `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`,
    `${post}Content-Length: -1\r\n\r\n{}`,
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
    `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(3000)}\r\n`,
    `GET / HTTP/1.1\r\n${host}X: ${'y'.repeat(20_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}X: a\u0000b\r\n\r\n`,
    'GET / HTTP/1.1\r\n\r\n',
    `GET / HTTP/1.1\r\n${host}${host}\r\n`,
    'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost@evil\r\n\r\n',
    ...[
      '/%00',
      '/%c0%ae',
      '/..%2f..%2fetc/passwd',
      '//evil',
      '/./',
      '/console/..%2f..%2fpackage.json',
      '/console/%2e%2e/%2e%2e/package.json',
      '/console/\\..\\x',
      '/?a[__proto__]=x',
      '/%',
      `/api/v1/tools?${'a=1&'.repeat(10_000)}`,
    ].map((path) => `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`),
    ...[
      'http://evil.example',
      'null',
      'http://localhost.evil.example',
      'file://',
      'http://127.0.0.1.evil.example',
      'https://[::1',
      'x'.repeat(5000),
    ].map((origin) => `${post}Origin: ${origin}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`),
    `GET /mcp HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n`,
    `GET /mcp HTTP/1.1\r\n${host}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x\r\n\r\n`,
  ]
}

const insides = /node:internal|\bat [\w.]+ \(|file:\/\/\/.*\.js:\d|canary-secret-value/

/** One row per request: `bad` where it was answered by 500, by silence that ends the process, or with our insides. */
export const attackMessages = async ({ port, isAlive }, keys, { quick }) => {
  const rows = []
  const note = (what, status, text) =>
    rows.push({ what, status, bad: status === 500 || insides.test(text) || !isAlive() })
  for (const path of routes)
    for (const [index, body] of bodies.entries())
      for (const extra of index % 8 === 0 && !quick ? headers : [headers[index % headers.length]]) {
        const { status, text } = await request(port, {
          method: 'POST',
          path,
          headers: { ...json, ...bearer(keys.read), ...extra },
          body,
        })
        note(`${path} ${JSON.stringify(extra)} ${body.slice(0, 60)}`, status, text)
      }
  for (const bytes of rawOnes(port)) {
    const text = await sendBytes(port, bytes, { quietMs: 1500 })
    note(JSON.stringify(bytes.slice(0, 80)), statusOf(text), text)
  }
  return rows
}
