import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isGatewayError } from '../errors.js'
import { type LoadedConfig, loadConfig } from './load.js'

// Corpus K of bad configurations. Every case ends in a Config or in one coded error that shows no secret.

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const env = { A: 'value-of-a', B: 'value-of-b' }
const file = () => join(folder, 'pegboard.json')

const outcome = async (name = 'pegboard.json'): Promise<LoadedConfig | string> => {
  try {
    return await loadConfig({ file: name, cwd: folder, env, dataFolder: folder })
  } catch (error) {
    if (!isGatewayError(error)) throw error
    expect(error.message + JSON.stringify(error)).not.toMatch(/canary|value-of/)
    return `${error.code} ${error.message}`
  }
}

const outcomeOf = async (content: unknown): Promise<LoadedConfig | string> => {
  const isText = typeof content === 'string' || content instanceof Uint8Array
  await writeFile(file(), isText ? content : JSON.stringify(content))
  return outcome()
}

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{}', 'utf16le')])
const stdio = (rest: object) => ({ sources: { a: { command: 'x', ...rest } } })
const http = (url: unknown, rest: object = {}) => ({ sources: { a: { type: 'http', url, ...rest } } })
const named = (...names: string[]) => ({ sources: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) })

const refused: readonly (readonly [string, unknown, RegExp])[] = [
  [
    'two endpoints of one name',
    { xiaozhi: { endpoints: ['a', 'b'].map((host) => ({ url: `wss://${host}/`, name: 'kitchen' })) } },
    /xiaozhi\.endpoints\[1\]\.name: "kitchen" is also the name of an earlier endpoint/,
  ],
  [
    'an embedding service without a model',
    { search: { embedding: { provider: 'openai', url: 'https://h/v1' } } },
    /model/,
  ],
  ['a model file that is not named', { search: { embedding: { provider: 'onnx', vocabularyFile: 'v' } } }, /modelFile/],
  [
    'a model file without its vocabulary',
    { search: { embedding: { provider: 'onnx', modelFile: 'm.onnx' } } },
    /vocabularyFile: is required for the onnx provider/,
  ],
  ['K1 an empty file', '', /CONFIG_INVALID.*\n.*is empty/],
  ['K2 only spaces', ' \n\t', /is empty/],
  ['K3 null', 'null', /must be an object/],
  ['K4 a list', '[]', /must be an object/],
  ['K5 a string', '"x"', /must be an object/],
  ['K7 UTF-16', utf16, /UTF-16; save it as UTF-8/],
  ['K8 a byte that is not UTF-8', Buffer.from([0x7b, 0x0a, 0x22, 0xc3, 0x28]), /:2:2: .*not UTF-8/],
  ['K11 a source twice', '{"sources":{"a":{"command":"x"},"a":{"command":"y"}}}', /"a" occurs twice/],
  [
    'K11 a source in two sections',
    { ...named('a'), mcpServers: { a: { command: 'x' } } },
    /mcpServers\.a: has the name of sources\.a/,
  ],
  ['K12 names that differ by case', named('calc', 'Calc'), /differs only in case/],
  ['K12 names that differ by Unicode form', named('caf\u00e9', 'cafe\u0301'), /differs only in case/],
  ['K12 a trailing space', named('a '), /start or end with a space/],
  ['K13 a source __proto__', '{"sources":{"__proto__":{"command":"x"}}}', /"__proto__" is not allowed/],
  ['K13 a source constructor', named('constructor'), /reserved/],
  ['K13 a source toString', named('toString'), /reserved/],
  [
    'T30 __proto__ deep inside',
    '{"sources":{"a":{"module":"m","config":{"b":[{"__proto__":{}}]}}}}',
    /sources\.a\.config\.b\[0\]\.__proto__/,
  ],
  [
    'T30 constructor.prototype',
    '{"sources":{"a":{"module":"m","config":{"constructor":{"prototype":{}}}}}}',
    /not allowed/,
  ],
  ['K14 ../x', named('../x'), /relative path/],
  ['K14 .', named('.'), /relative path/],
  ['K14 an empty name', named(''), /needs a name/],
  ['K14 10,000 characters', named('n'.repeat(10_000)), /at most 128/],
  ['K14 a newline', named('a\nb'), /control/],
  ['K15 a command that is a number', stdio({ command: 5 }), /expected a string, got 5/],
  ['K15 a command that is a list', stdio({ command: ['x'] }), /expected a string, got array/],
  ['K15 an empty command', { sources: { a: { type: 'stdio', command: '' } } }, /at least 1 character/],
  ['K15 a command with NUL', stdio({ command: 'a\0b' }), /NUL/],
  ['K16 args as a string', stdio({ args: '-y x' }), /expected a list/],
  ['K16 nested args', stdio({ args: [['x']] }), /args\[0\]: expected a string/],
  ['K16 10,000 args', stdio({ args: Array(10_000).fill('x') }), /at most 4096 items/],
  ['K16 an argument of 1 MB', stdio({ args: ['x'.repeat(1_000_000)] }), /at most 131071 characters/],
  ['K17 a number in env', stdio({ env: { A: 1 } }), /env\.A: expected a string, got number/],
  ['K17 null in env', stdio({ env: { A: null } }), /env\.A: expected a string, got null/],
  ['K17 = in a key of env', stdio({ env: { 'A=B': 'x' } }), /not a legal name/],
  ['K17 an empty key in env', stdio({ env: { '': 'x' } }), /not a legal name/],
  ['K18 an unset variable', stdio({ args: [`\${MISSING}`] }), /^VARIABLE_UNSET.*\n.*MISSING is not set/],
  ['K18 a placeholder in a placeholder', stdio({ args: [`\${\${A}}`] }), /CONFIG_INVALID/],
  ['K18 an unclosed placeholder', stdio({ args: [`\${A`] }), /never closed/],
  ['K20 file:', http('file:///etc/passwd'), /must start with http/],
  ['K20 ftp:', http('ftp://h/x'), /must start with http/],
  ['K20 no scheme', http('h/x'), /must be a URL/],
  ['K20 userinfo', http('https://u:canary@h/'), /must not hold a user or password/],
  ['K20 an open bracket', http('http://[::1'), /must be a URL/],
  ['K20 70 KB', http(`http://h/${'x'.repeat(70_000)}`), /at most 8192/],
  ['K20 invalid punycode', http('http://xn--iñvalid.example/'), /must be a URL/],
  ['K20 port 0', http('http://h:0/'), /port 0/],
  ['K20 port 65536', http('http://h:65536/'), /must be a URL/],
  ['K21 a header with CR LF', http('http://h/', { headers: { 'X-A': 'a\r\nB: canary' } }), /one line/],
  ['K21 a header outside Latin-1', http('http://h/', { headers: { 'X-A': '你' } }), /one line/],
  ['K21 a header name with a space', http('http://h/', { headers: { 'X A': 'b' } }), /legal header name/],
  ['K21 a header twice by case', http('http://h/', { headers: { 'x-a': '1', 'X-A': '2' } }), /given twice/],
  ['K22 both command and url', stdio({ url: 'http://h/' }), /both "command" and "url"/],
  ['K23 an unknown transport', stdio({ type: 'htpp' }), /did you mean "http"/],
  ['K23 a transport of another kind', stdio({ type: 7 }), /expected one of/],
  ['K24 timeout -1', stdio({ timeoutMs: -1 }), /at least 1, got -1/],
  ['K24 timeout 0', stdio({ timeoutMs: 0 }), /at least 1, got 0/],
  ['K24 timeout 1e400', '{"sources":{"a":{"command":"x","timeoutMs":1e400}}}', /too large to hold/],
  ['K24 timeout 2^31', stdio({ timeoutMs: 2 ** 31 }), /at most 2147483647/],
  ['K24 timeout "5s"', stdio({ timeoutMs: '5s' }), /write the milliseconds as a number/],
  ['K25 a port as text', { server: { port: '8000' } }, /remove the quotes/],
  ['K26 10,000 sources', named(...Array.from({ length: 10_000 }, (_, index) => `s${index}`)), /2000 are the limit/],
  ['K27 an include', { include: './other.json' }, /include: is not a known key/],
  ['K28 an unknown key', stdio({ comand: 'x' }), /did you mean "command"/],
  ['K29 YAML in a .json', 'sources:\n  a:\n    command: x\n', /looks like YAML/],
  ['a depth of a million', '['.repeat(1_000_000), /nested too deep/],
  ['a depth of 100', `{"recall":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`, /nested too deep/],
  [
    'C8 a namespace twice',
    { sources: { a: { command: 'x', namespace: 'n' }, b: { command: 'y', namespace: 'N' } } },
    /also that of the source "a"/,
  ],
  [
    'C8 a namespace that is the name of another source',
    { sources: { a: { command: 'x' }, b: { command: 'y', namespace: 'a' } } },
    /also that of the source "a"/,
  ],
  ['C7 the separator in a namespace', stdio({ namespace: 'a.b' }), /must not hold the separator/],
  ['T20 __ in a namespace', stdio({ namespace: 'a__b' }), /must not hold "__"/],
  ['T20 look-alike letters', stdio({ namespace: '\u0455earch' }), /look-alike/],
]

const accepted: readonly (readonly [string, unknown])[] = [
  ['K6 a BOM', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"server":{}}')])],
  [
    'K9 comments and trailing commas',
    '{ // one\n "sources": { /* two */ "a": { "command": "x", "args": ["y",], }, }, }',
  ],
  ['K14 a slash, two underscores, an emoji', named('a/b', 'c__d', '🎉')],
  ['K18 a default', stdio({ args: [`\${MISSING:-x}`, '$A', '$$'] })],
  ['K19 a folder that is not there: the source reports it when it starts', stdio({ cwd: './none' })],
  ['K20 an IDN', http('https://münchen.example/mcp')],
  ['K28 keys of xiaozhi', { mcpEndpoint: ['wss://h/?token=a', 'wss://h/?token=b'], mcpServers: {}, connection: {} }],
  ['K28 keys of VS Code', { servers: { a: { type: 'stdio', command: 'x', envFile: '.env', dev: {} } }, inputs: [] }],
]

describe('corpus K', () => {
  it.each(refused)('refuses %s', async (_name, content, reason) => {
    expect(await outcomeOf(content)).toMatch(reason)
  })

  it.each(accepted)('accepts %s', async (_name, content) => {
    expect(await outcomeOf(content)).toHaveProperty('config')
  })

  it('K10 refuses a file that is cut off anywhere, with line and column', async () => {
    const text = JSON.stringify({ sources: { a: { command: 'x', args: ['y'] } }, server: { port: 1 } }, null, 2)
    for (let tenth = 1; tenth < 10; tenth++) {
      expect(await outcomeOf(text.slice(0, (text.length * tenth) / 10))).toMatch(
        /^CONFIG_INVALID .*\n {2}pegboard\.json:\d+:\d+/,
      )
    }
  })

  it('K30 refuses a folder, a link to one, a FIFO and a device', async () => {
    await mkdir(join(folder, 'd'))
    await symlink(join(folder, 'd'), join(folder, 'link'))
    execFileSync('mkfifo', [join(folder, 'fifo')])
    for (const name of ['d', 'link']) expect(await outcome(name)).toMatch(/^CONFIG_UNREADABLE .* is a folder/)
    expect(await outcome('fifo')).toMatch(/^CONFIG_UNREADABLE .* is a FIFO/)
    expect(await outcome('/dev/zero')).toMatch(/^CONFIG_UNREADABLE .* not a regular file/)
  })

  it('K30 refuses more than 8 MiB without reading it all', async () => {
    await writeFile(file(), '{')
    await truncate(file(), 2 ** 33)
    expect(await outcome()).toMatch(/^CONFIG_UNREADABLE .* larger than 8388608 bytes/)
  })

  it.skipIf(process.getuid?.() === 0)('K30 says that it may not read a file', async () => {
    await writeFile(file(), '{}')
    await chmod(file(), 0)
    expect(await outcome()).toMatch(/^CONFIG_UNREADABLE .* may not read it/)
  })

  it('refuses links that form a loop', async () => {
    await symlink(file(), join(folder, 'b'))
    await symlink(join(folder, 'b'), file())
    expect(await outcome()).toMatch(/^CONFIG_UNREADABLE .* form a loop/)
  })

  it('leaves the prototype of objects alone', () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('corpus K in YAML', () => {
  it.each([
    ['many levels on one line', '- '.repeat(20_000), /nested too deep/],
    ['deep brackets', '['.repeat(100_000), /nested too deep/],
    [
      'deep indentation',
      Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      /nested too deep/,
    ],
    ['an anchor that contains itself', 'recall: &a\n  b: *a\n', /nested too deep/],
    ['aliases that multiply', bomb(), /too many|more than/],
    ['an alias without an anchor', 'server: *x\n', /CONFIG_INVALID/],
    ['a key twice', 'server: {}\nserver: {}\n', /occurs twice/],
    ['two documents', '{}\n---\n{}\n', /more than one document/],
    ['tabs', 'server:\n\tport: 1\n', /tabs/],
    ['__proto__', 'sources:\n  __proto__: {command: x}\n', /not allowed/],
    ['infinity', 'server: {port: .inf}\n', /too large to hold/],
    ['text that may be secret', 'server: {token: "canary\n', /CONFIG_INVALID/],
  ])('refuses %s', async (_name, content, reason) => {
    await writeFile(join(folder, 'x.yaml'), content)
    expect(await outcome('x.yaml')).toMatch(reason)
  })
})

function bomb(): string {
  const rows = ['a0: &a0 [x,x,x,x,x,x,x,x,x]']
  for (let row = 1; row < 9; row++)
    rows.push(
      `a${row}: &a${row} [${Array(9)
        .fill(`*a${row - 1}`)
        .join(',')}]`,
    )
  return rows.join('\n')
}
