import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { LogLevel } from './logger.js'
import { createPinoLogger, type PinoLoggerOptions } from './pino-logger.js'
import { oneLine } from './plain-text.js'
import { createRedactor } from './redact.js'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

const start = (options: Partial<PinoLoggerOptions> = {}) => {
  const lines: string[] = []
  const clock = new VirtualClock(Date.UTC(2026, 1, 14, 10, 30, 45, 123))
  const destination = { write: (text: string) => void lines.push(text) }
  return { lines, clock, logger: createPinoLogger({ level: 'info', format: 'line', destination, clock, ...options }) }
}

describe('the level', () => {
  it('may change while the logger is in use', () => {
    let level: LogLevel = 'warn'
    const { lines, logger } = start({ level: () => level })
    const child = logger.child('http')
    child.log('info', 'unheard')
    level = 'info'
    child.log('info', 'heard')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('heard')
  })
})

describe('the line format (001-16)', () => {
  it('is that of the samples (001-17)', () => {
    const { lines, logger } = start({ level: 'debug' })
    const log = (service: string, level: LogLevel, message: string, meta?: Record<string, unknown>) =>
      logger.child(service).log(level, message, meta)
    log('manager', 'info', 'Starting MCP Agent Manager')
    log('registry', 'info', 'Service registered: calculator', { namespace: 'calc', type: 'stdio' })
    log('websocket', 'info', 'Connected to xiaozhi endpoint')
    log('tool-aggregator', 'info', 'Tool called: calc.calculator', { args: { python_expression: '1+1' } })
    log('tool-aggregator', 'warn', 'Result size 1500 bytes exceeds limit 1024')
    log('stdio-adapter', 'error', 'Process crashed', { service: 'calculator', exitCode: 1 })
    logger.log('debug', 'Without a service', {})
    expect(lines).toEqual([
      '2026-02-14T10:30:45.123Z [info] [manager] Starting MCP Agent Manager\n',
      '2026-02-14T10:30:45.123Z [info] [registry] Service registered: calculator {"namespace":"calc","type":"stdio"}\n',
      '2026-02-14T10:30:45.123Z [info] [websocket] Connected to xiaozhi endpoint\n',
      '2026-02-14T10:30:45.123Z [info] [tool-aggregator] Tool called: calc.calculator {"args":{"python_expression":"1+1"}}\n',
      '2026-02-14T10:30:45.123Z [warn] [tool-aggregator] Result size 1500 bytes exceeds limit 1024\n',
      '2026-02-14T10:30:45.123Z [error] [stdio-adapter] Process crashed {"service":"calculator","exitCode":1}\n',
      '2026-02-14T10:30:45.123Z [debug] [main] Without a service\n',
    ])
  })
})

describe('the JSON format', () => {
  it('is one object with level, timestamp, service and message; keys of ours in meta get a mark', () => {
    const { lines, logger } = start({ format: 'json' })
    logger.child('registry').log('warn', '100 %d %s %% done', { type: 'stdio', level: 9, err: { a: 1 } })
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'warn',
      timestamp: '2026-02-14T10:30:45.123Z',
      service: 'registry',
      message: '100 %d %s %% done',
      type: 'stdio',
      level_: 9,
      err: { a: 1 },
    })
  })
})

describe('levels', () => {
  it('below the chosen one are left out', () => {
    const order: LogLevel[] = ['debug', 'info', 'warn', 'error']
    for (const format of ['line', 'json'] as const)
      order.forEach((level, index) => {
        const { lines, logger } = start({ level, format })
        for (const each of order) logger.log(each, each)
        expect(lines).toHaveLength(order.length - index)
      })
  })
})

describe('a record', () => {
  it('is always one line without escapes or controls, whatever it holds', () => {
    const nasty = fc.string({ unit: fc.constantFrom(...'ab\n\r\t\u001b[]0;31m\u0007\u009b\u2028\u202e\u0000\u0085天') })
    fc.assert(
      fc.property(nasty, nasty, nasty, fc.constantFrom('line', 'json'), (service, message, value, format) => {
        const { lines, logger } = start({ format: format as 'line' })
        logger.child(service).log('info', message, { [value]: value })
        expect(lines).toHaveLength(1)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
        expect(lines[0]).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]*\n$/)
      }),
    )
  })

  it('keeps no secret, even one cut in two by a colour', () => {
    const { lines, logger } = start({ secrets: ['canary-secret'] })
    logger.log('info', 'a canary-\u001b[1msecret b', {
      token: 'x',
      note: 'canary-\u001b[0msecret',
      at: ['canary-secret'],
    })
    expect(lines[0]).toContain('a *** b {"token":"***","note":"***","at":["***"]}')
  })

  it('hides what a shared redactor learns later', () => {
    const redactor = createRedactor()
    const { lines, logger } = start({ redactor })
    redactor.add('learnt-later')
    logger.log('info', 'say learnt-later')
    expect(lines[0]).toContain('say ***')
  })

  it('is cut when it is too long, never inside a secret', () => {
    const { lines, logger } = start({ secrets: ['canary-secret'] })
    for (const offset of [0, 3, 7])
      logger.log('info', 'x'.repeat(offset) + 'canary-secret '.repeat(100_000), { big: 'y'.repeat(1e6) })
    for (const line of lines) {
      expect(line.length).toBeLessThan(64 * 1024)
      expect(line).not.toMatch(/canar/)
    }
  })

  it('strips titles and links for terminals', () => {
    expect(
      oneLine('a\u001b]0;title\u0007b\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\ \u001b[31mred\u001b[0m'),
    ).toBe('ablink red')
  })
})

describe('a failing sink (F5)', () => {
  it('that is a full disk costs one warning per minute on the other', async () => {
    const { lines, clock, logger } = start({ file: '/dev/full' })
    for (let index = 0; index < 50; index++) logger.log('info', `n${index}`)
    expect(lines.filter((line) => line.includes('Log sink failed: file'))).toEqual([
      expect.stringMatching(/\[warn\] \[logger\] .*"reason":"ENOSPC","lost":1/),
    ])
    await clock.advance(60_000)
    logger.log('info', 'again')
    const warnings = lines.filter((line) => line.includes('Log sink failed'))
    expect(warnings).toHaveLength(2)
    expect(warnings[1]).toContain('"lost":50')
    expect(lines.filter((line) => /\] n\d+/.test(line))).toHaveLength(50)
  })

  it('that is the destination leaves the file complete', () => {
    const file = join(folder, 'whole.log')
    const destination = {
      write: () => {
        throw Object.assign(new Error('x'), { code: 'EPIPE' })
      },
    }
    const { logger } = start({ file, destination })
    for (let index = 0; index < 5; index++) logger.log('info', `n${index}`)
    const text = readFileSync(file, 'utf8')
    expect(text.match(/ n\d/g)).toHaveLength(5)
    expect(text.match(/Log sink failed: destination/g)).toHaveLength(1)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('that is a path nobody can write is tried again', () => {
    const { lines, logger } = start({ file: join(folder, 'no', 'such', 'folder.log') })
    logger.log('info', 'still here')
    expect(lines.join('')).toMatch(/still here.*\n.*Log sink failed: file.*ENOENT/)
  })

  it('appends to what is there', () => {
    const file = join(folder, 'twice.log')
    start({ file }).logger.log('info', 'one')
    start({ file }).logger.log('info', 'two')
    expect(readFileSync(file, 'utf8')).toMatch(/one\n.*two\n$/)
  })
})

describe('standard error', () => {
  let built = ''
  beforeAll(() => {
    built = build()
  })
  afterAll(() => rmSync(built, { recursive: true, force: true }))

  /** A real process, whose standard error is ours to close or to ignore. */
  const run = (script: string, file?: string) => {
    const options = JSON.stringify({ level: 'info', format: 'line', file })
    const entry = pathToFileURL(join(built, 'telemetry', 'pino-logger.js')).href
    const start = `import { createPinoLogger } from '${entry}'; const logger = createPinoLogger(${options});`
    return spawn(process.execPath, ['--input-type=module', '-e', `${start}\n${script}`], { stdio: 'pipe' })
  }

  it('is where records go; standard output stays empty', async () => {
    const child = run("logger.log('info', 'hello')")
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => out.push(part))
    child.stderr.on('data', (part: Buffer) => err.push(part))
    await once(child, 'close')
    expect(Buffer.concat(out).toString()).toBe('')
    expect(Buffer.concat(err).toString()).toMatch(/\[info\] \[main\] hello\n$/)
  })

  it('that is closed does not end the process', async () => {
    const file = join(folder, 'closed.log')
    const script = `process.stdin.once('data', () => { let n = 0
      const next = () => { logger.log('info', 'n' + n); if (++n < 20) setImmediate(next); else process.exit(7) }
      next() }); process.stdout.write('ready')`
    const child = run(script, file)
    await once(child.stdout, 'data')
    child.stderr.destroy()
    await once(child.stderr, 'close')
    child.stdin.write('go')
    const [code] = await once(child, 'exit')
    expect(code).toBe(7)
    const text = readFileSync(file, 'utf8')
    expect(text.match(/\] n\d+/g)).toHaveLength(20)
    expect(text.match(/Log sink failed: stderr/g)).toHaveLength(1)
  })

  it('that nobody reads neither stops the process nor fills its memory', async () => {
    const script = `for (let n = 0; n < 3000; n++) logger.log('info', 'x'.repeat(4000))
      setImmediate(() => { process.stdout.write(String(process.stderr.writableLength)); process.exit(5) })`
    const child = run(script)
    const [[waiting], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])
    expect(code).toBe(5)
    expect(Number(String(waiting))).toBeLessThan(1.1 * 1024 * 1024)
  })
})

/** This room alone, compiled for a plain `node`; inside node_modules, where it finds pino. */
const build = (): string => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const out = mkdtempSync(join(cache, 'pegboard-telemetry-'))
  const project = join(out, 'tsconfig.json')
  const compilerOptions = { rootDir: '../../../src', outDir: '.', declaration: false, noEmitOnError: false }
  const files = ['../../../src/telemetry/pino-logger.ts']
  writeFileSync(
    project,
    JSON.stringify({ extends: '../../../tsconfig.build.json', compilerOptions, include: [], files }),
  )
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  spawnSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project])
  return out
}
