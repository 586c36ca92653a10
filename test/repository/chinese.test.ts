import { describe, expect, it } from 'vitest'
import { fill } from '../../console/src/i18n/put-in.js'
import { tellReason, tellState } from '../../console/src/i18n/states.js'
import { formatProblem } from '../../src/config/problems.js'
import { deadlineFailure, networkFailure } from '../../src/mcp/client/failure.js'
import { errorTexts, toldIn } from '../../src/operations/error-texts.js'
import { asleepStatus, leftAlone, type SourceState } from '../../src/sources/status.js'
import {
  describeExit,
  downloadReason,
  lateDownload,
  lateStart,
  lossOf,
  spawnFailure,
  startFailure,
} from '../../src/sources/stdio/failure.js'
import { normalised } from '../helpers/config-files.js'
import { openAdminServer } from '../helpers/open-admin.js'

// Two words in a row of plain English; names of commands, hosts and keys stand alone.
const english = /[a-z]{2,} [a-z]{2,}/

const systemCodes = ['ENOENT', 'EACCES', 'EAGAIN', 'EMFILE', 'E2BIG', 'ENOEXEC', 'EIO', undefined]
const networkCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
  'HPE_INVALID_CONSTANT',
  'OTHER',
]
const ending = { command: 'npx', exitCode: 127, signal: null, stderr: '' }

/** What is said of entries that are set aside. */
const badEntries = (): readonly string[] => {
  const entries = {
    docs: { url: `\${DOCS_URL}` },
    typed: { type: 'stdoi' },
    other: { type: 'telepathy' },
    bare: { type: 'stdio' },
    extra: { command: 'x', commnad: 'y' },
    empty: {},
    wrong: { command: 3 },
  }
  return normalised({ sources: entries }, { strict: false }).problems.map(formatProblem)
}

const reasons: readonly string[] = [
  asleepStatus.reason!,
  'Switched off.',
  'Stopped by request.',
  'Did not answer 3 health checks in a row within 5000 ms each.',
  ...systemCodes.map((code) => spawnFailure({ command: 'npx' }, code).message),
  ...['npx -y server', './server', process.execPath].map((command) => spawnFailure({ command }, 'ENOENT').message),
  spawnFailure({ command: 'npx', cwd: '/no/such/folder' }, 'ENOENT').message,
  spawnFailure({ command: 'npx', cwd: process.execPath }, 'ENOENT').message,
  startFailure(describeExit(127, null), ending).message,
  startFailure(describeExit(126, null), { ...ending, exitCode: 126 }).message,
  startFailure(describeExit(null, 'SIGKILL'), { ...ending, exitCode: null }).message,
  // U9: the place of a pipe is no name.
  'The connection to the process ended: The connection was closed.',
  `The connection to the process ended: ${startFailure(describeExit(1, null), ending).message}`,
  // U10
  startFailure(lateStart(30_000, undefined), ending).message,
  startFailure(lateStart(120_000, 'npx'), ending).message,
  startFailure(lateDownload(300_000), ending).message,
  downloadReason('uvx'),
  startFailure(describeExit(0, null), { ...ending, exitCode: 0, stdout: 'hello' }).message,
  lossOf(describeExit(1, null), { ...ending, exitCode: 1 }).message,
  ...networkCodes.map((code) => networkFailure({ code }, '127.0.0.1:9', true).message),
  deadlineFailure('initialize', 1000, true).message,
  "The catalog file /x/tools.json cannot be read: ENOENT: no such file or directory, stat '/x/tools.json'. Mend what it names; it is tried again when the file changes, or by: pegboard restart",
  "The OpenAPI document /x/shop.yaml cannot be read: ENOENT: no such file or directory, stat '/x/shop.yaml'",
  ...badEntries(),
  leftAlone(asleepStatus, { reason: networkFailure({ code: 'ECONNREFUSED' }, '127.0.0.1:9', true).message, retryAt: 0 })
    .reason!,
  leftAlone(asleepStatus, { reason: 'http://127.0.0.1:9 answered with HTTP status 500.', retryAt: 0 }).reason!,
]

describe('a Chinese reader', () => {
  it.each(reasons)('reads why a source is not ready: %s', (reason) => {
    expect(tellReason(reason, 'zh').replace('#!/usr/bin/env node', '')).not.toMatch(english)
    expect(tellReason(reason, 'en')).toBe(reason)
  })

  it('reads every state of a source', () => {
    const states: Record<SourceState, true> = {
      stopped: true,
      starting: true,
      ready: true,
      degraded: true,
      'backing-off': true,
      'crash-loop': true,
      parked: true,
      'needs-auth': true,
      'needs-config': true,
      pending: true,
      quarantined: true,
      elsewhere: true,
    }
    for (const state of Object.keys(states)) expect(tellState(state, 'zh')).toMatch(/^[\u4e00-\u9fff]+$/)
  })

  it('reads what a code means as the gateway itself would say it', () => {
    const facts = { tool: 'a.b', source: 'a', timeoutMs: 10 }
    for (const { zh } of Object.values(errorTexts)) expect(fill(zh, facts)).toBe(toldIn(zh, facts))
    expect(fill('工具 {tool} 未应答。', { tool: '$&' })).toBe('工具 $& 未应答。')
  })

  it('gets the sentences of all codes, and the name of every setting', async () => {
    await using server = await openAdminServer()
    const key = await server.key('admin')
    const { body } = await server.ask('GET', '/error-texts', { key })
    expect(Object.keys(body['zh-Hans']).sort()).toEqual(Object.keys(errorTexts).sort())
    const { fields } = (await server.ask('GET', '/settings', { key })).body
    expect(fields.length).toBeGreaterThan(40)
    for (const { path, label, help } of fields) {
      expect(label.zh, path).toMatch(/[\u4e00-\u9fff]/)
      expect(label.en, path).toMatch(/^[A-Z]/)
      if (help) expect(help.zh, path).toMatch(/[\u4e00-\u9fff]/)
    }
  })
})
