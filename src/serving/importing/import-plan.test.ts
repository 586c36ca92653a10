import { describe, expect, it } from 'vitest'
import type { FoundServers } from '../../clients/find.js'
import { findClient } from '../../clients/known.js'
import { serversIn } from '../../clients/servers.js'
import { type ImportPlanOptions, planImport } from './import-plan.js'

const found = (id: string, servers: object, project?: string): FoundServers => {
  const client = findClient(id)!
  const file = { path: `/h/${id}.json`, scope: project === undefined ? ('user' as const) : ('project' as const) }
  return { client, file, servers: serversIn({ [client.section]: servers }, client, project), problem: undefined }
}
const options: ImportPlanOptions = { existing: new Map(), problemOf: () => undefined, isOurs: () => false }
const outcomes = (files: readonly FoundServers[], more: Partial<ImportPlanOptions> = {}) =>
  planImport(files, { ...options, ...more }).map(({ name, outcome }) => `${outcome} ${name}`)

describe('an import plan', () => {
  it('adds a server once when two clients have it, on if either has it on', () => {
    const plan = planImport(
      [found('cursor', { a: { command: 'x' } }), found('cline', { b: { command: 'x', args: [], disabled: true } })],
      options,
    )
    expect(plan).toHaveLength(1)
    expect(plan[0]).toMatchObject({
      name: 'a',
      off: false,
      from: [expect.stringContaining('Cursor'), expect.stringContaining('Cline')],
    })
  })

  it('gives two servers of one name two names, whatever their case or spelling', () => {
    const files = [
      found('cursor', { git: { command: 'x' } }),
      found('cline', { Git: { command: 'y' } }),
      found('vscode', { git: { command: 'z' } }, '/p/shop'),
      found('windsurf', { 'g i t': { command: 'v' }, g_i_t: { command: 'w' } }),
    ]
    expect(outcomes(files)).toEqual([
      'add git',
      'rename Git-cline',
      'rename git-shop',
      'add g i t',
      'rename g_i_t-windsurf',
    ])
  })

  it('leaves out what is here, what cannot be used and what is this gateway', () => {
    const files = [
      found('cursor', {
        a: { command: 'x' },
        b: { command: 'pegboard' },
        c: { note: 'neither' },
        ' d': { command: 'y' },
      }),
    ]
    const plan = outcomes(files, {
      existing: new Map([['mine', { type: 'stdio', command: 'x', enabled: false }]]),
      isOurs: ({ command }) => command === 'pegboard',
    })
    expect(plan).toEqual(['present mine', 'ours b', 'unusable c', 'unusable  d'])
  })

  it('drops keys that we have nothing like, and says so', () => {
    const [planned] = planImport([found('vscode', { a: { command: 'x', envFile: '.env', gallery: true } })], options)
    expect(planned!.entry).toEqual({ type: 'stdio', command: 'x' })
    expect(planned!.notes.join()).toContain('envFile')
  })

  it('lets relative paths of a project start there', () => {
    const [planned] = planImport([found('vscode', { a: { command: './run', cwd: 'sub' } }, '/p')], options)
    expect(planned!.entry).toMatchObject({ cwd: '/p/sub' })
  })
})
