import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { variable } from '../../src/config/settings/kinds-of-value.js'
import { localCaller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

let admin: OpenedAdmin
let key = ''
const ask = (method: string, path: string, more: { readonly body?: unknown } = {}) =>
  admin.ask(method, path, { key, ...more })
beforeAll(async () => {
  admin = await openAdminServer(JSON.stringify({ profiles: { desk: {} } }))
  key = await admin.key('admin')
  admin.gateway.register(
    defineTool({
      name: 'mail',
      description: 'Sends a long letter to somebody who waits for it since a while.',
      input: {
        type: 'object',
        properties: { to: { type: 'string' }, token: { type: 'string' }, text: { type: 'string', maxLength: 100 } },
        required: ['to', 'token'],
      },
      handler: (args: unknown) => args,
    }),
  )
})
afterAll(() => admin[Symbol.asyncDispose]())

const at = '/tools/mail/override'

describe('how a tool is shown, for its operator', () => {
  it('is told beside what its source says, saved for everybody or a profile, and taken back', async () => {
    const plain = await ask('GET', at)
    expect(plain).toMatchObject({ status: 200, body: { id: 'mail', changes: [], written: {}, shown: { id: 'mail' } } })
    const body = { name: 'post', description: 'Mails.', arguments: { token: { set: 'open-sesame' } } }
    const saved = await ask('PUT', at, { body })
    expect(saved).toMatchObject({
      status: 200,
      body: {
        shown: { id: 'post' },
        changes: ['name', 'description', 'arguments.token'],
        written: { arguments: { token: { set: '***' } } },
      },
    })
    expect(saved.body.shown.tokens).toBeLessThan(saved.body.upstreamTokens)
    expect(JSON.stringify(saved.body)).not.toContain('open-sesame')
    // What was not shown comes back as it was shown, and stays what it is.
    await ask('PUT', at, { body: { ...saved.body.written, title: 'Post' } })
    expect(JSON.parse(readFileSync(admin.file, 'utf8')).overrides.mail).toEqual({ ...body, title: 'Post' })
    const outcome = await admin.gateway.call({ caller: localCaller, tool: 'post', args: { to: 'ann' } })
    expect(outcome).toMatchObject({ ok: true, answer: { value: { to: 'ann', token: 'open-sesame' } } })
    await ask('PUT', `${at}?profile=desk`, { body: { enabled: false } })
    expect((await ask('GET', `${at}?profile=desk`)).body).toMatchObject({ changes: ['enabled'] })
    expect(admin.gateway.list({ ...localCaller, profile: 'desk' }).map(({ id }) => id)).not.toContain('post')
    const reset = await ask('DELETE', at)
    expect(reset.body).toMatchObject({ changes: [], written: {} })
    await ask('DELETE', `${at}?profile=desk`)
    expect(admin.gateway.overrides).toBeUndefined()
  })

  it('stays as it was where the new one does not fit, and says where', async () => {
    const before = readFileSync(admin.file, 'utf8')
    const wide = await ask('PUT', at, { body: { arguments: { text: { maxLength: 1000 } } } })
    expect(wide.status).toBe(400)
    expect(JSON.stringify(wide.body)).toContain('arguments.text.maxLength lets through more than upstream does (100)')
    expect(wide.body.error.details.problems).toEqual([
      { path: 'arguments.text.maxLength', message: expect.stringContaining('lets through more') },
    ])
    const misspelt = await ask('PUT', at, { body: { arguments: { text: { maxLenght: 10 } } } })
    expect(misspelt.body.error.details.problems).toEqual([
      { path: 'arguments.text.maxLenght', message: expect.any(String) },
    ])
    expect((await ask('PUT', at, { body: { arguments: { to: { hide: true } } } })).status).toBe(400)
    const file = await ask('PUT', at, { body: { arguments: { to: { set: '$' + '{file:/etc/passwd}' } } } })
    expect(file.body.error.details.problems).toEqual([
      { path: 'arguments.to.set', message: expect.stringContaining('cannot be written here') },
    ])
    expect((await ask('PUT', `${at}?profile=nobody`, { body: { title: 'x' } })).status).toBe(404)
    expect((await ask('PUT', '/tools/nobody/override', { body: {} })).status).toBe(404)
    expect(readFileSync(admin.file, 'utf8')).toBe(before)
    expect(admin.gateway.overrides).toBeUndefined()
  })

  it('is previewed by the same rules, and nothing is changed by it', async () => {
    const before = readFileSync(admin.file, 'utf8')
    const preview = (body: object, more = '') => ask('POST', `/tools/mail/override-preview${more}`, { body })
    const good = await preview({ name: 'post', description: 'Mails.', arguments: { token: { set: 'x' } } })
    expect(good.body).toMatchObject({
      shown: { id: 'post', definition: { description: 'Mails.' } },
      changes: ['name', 'description', 'arguments.token'],
      problems: [],
      written: {},
    })
    expect(good.body.shown.tokens).toBeLessThan(good.body.upstreamTokens)
    expect((await preview({ enabled: false }, '?profile=desk')).body).toMatchObject({ changes: ['enabled'] })
    const problems = async (body: object) => (await preview(body)).body.problems
    expect(await problems({ arguments: { text: { maxLength: 1000 } } })).toEqual([
      { path: 'arguments.text.maxLength', message: expect.stringContaining('lets through more') },
    ])
    expect(await problems({ nme: 'x' })).toEqual([
      { path: 'nme', message: expect.stringContaining('did you mean "name"') },
    ])
    expect(await problems({ arguments: { to: { set: variable('NOT_SET') } } })).toEqual([
      { path: 'arguments.to.set', message: expect.stringContaining('NOT_SET') },
    ])
    expect(await problems({ arguments: { to: { set: variable('cmd:id') } } })).toEqual([
      { path: 'arguments.to.set', message: expect.stringContaining('cannot be written here') },
    ])
    expect(await problems({ result: { cacheMs: 5 } })).toEqual([
      { path: 'result.cacheMs', message: expect.stringContaining('change nothing') },
    ])
    expect(readFileSync(admin.file, 'utf8')).toBe(before)
    expect(admin.gateway.overrides).toBeUndefined()
    const viewer = await admin.key('viewer')
    expect((await admin.ask('POST', '/tools/mail/override-preview', { key: viewer, body: {} })).status).toBe(403)
    expect((await admin.ask('GET', at, { key: viewer })).status).toBe(200)
  })

  it('of what stands in the file tells no secret, and leaves as it was what was only looked at', async () => {
    const token = join(dirname(admin.file), 'token')
    writeFileSync(token, 'read-from-a-file')
    const args = {
      token: { set: `${'$'}{file:${token}}` },
      to: { set: '$trong-pass', secret: true },
    }
    const edit = (more: object) =>
      writeFileSync(admin.file, JSON.stringify({ ...JSON.parse(readFileSync(admin.file, 'utf8')), ...more }))
    edit({ overrides: { mail: { arguments: args } }, profiles: { desk: { overrides: { mail: { arguments: args } } } } })
    await expect
      .poll(async () => (await ask('GET', at)).body.written.arguments?.to)
      .toEqual({ set: '***', secret: true })
    await expect.poll(() => admin.gateway.overrides).toBeDefined()
    const looked = await ask('GET', at)
    expect(looked.body.written.arguments.token.set).toBe(args.token.set)
    expect(looked.body).toMatchObject({ profiles: ['desk'], problems: [] })
    const preview = await ask('POST', '/tools/mail/override-preview', {
      body: { ...looked.body.written, title: 'Post' },
    })
    expect(preview.body).toMatchObject({ problems: [], changes: ['title', 'arguments.to', 'arguments.token'] })
    expect((await ask('PUT', at, { body: { ...looked.body.written, title: 'Post' } })).status).toBe(200)
    expect(JSON.parse(readFileSync(admin.file, 'utf8')).overrides.mail).toEqual({ arguments: args, title: 'Post' })
    const outcome = await admin.gateway.call({ caller: localCaller, tool: 'mail', args: {} })
    expect(outcome).toMatchObject({ answer: { value: { to: '$trong-pass', token: 'read-from-a-file' } } })
    // The page of the profile says nothing of it, and saving it there takes nothing away.
    const profile = await ask('GET', '/profiles/desk')
    expect(JSON.stringify(profile.body)).not.toMatch(/trong-pass|read-from-a-file/)
    await ask('PUT', '/profiles/desk', { body: { description: 'Desk' } })
    expect(JSON.parse(readFileSync(admin.file, 'utf8')).profiles.desk).toEqual({
      description: 'Desk',
      overrides: { mail: { arguments: args } },
    })
    expect((await ask('GET', '/profiles')).status).toBe(200)
    await ask('DELETE', at)
    await ask('DELETE', `${at}?profile=desk`)
    expect(admin.gateway.overrides).toBeUndefined()
  })

  it('is seen in the list, at a try by hand, by a search, and in what a profile would show', async () => {
    const row = async () => (await ask('GET', '/tools')).body.tools.find(({ id }: { id: string }) => id === 'mail')
    expect(await row()).not.toHaveProperty('shown')
    await ask('PUT', at, { body: { name: 'post', description: 'Sends letters.', arguments: { token: { set: 'x' } } } })
    expect(await row()).toMatchObject({ shown: 'changed', shownAs: 'post' })
    const { body: detail } = await ask('GET', '/tools/mail')
    expect(detail).toMatchObject({
      id: 'mail',
      definition: { name: 'mail' },
      advertised: { name: 'post' },
      misfits: [],
    })
    expect(Object.keys(detail.advertised.inputSchema.properties)).toEqual(['to', 'text'])
    const tried = await ask('POST', '/tools/mail/call', { body: { args: { to: 'ann' } } })
    expect(tried.body).toMatchObject({ ok: true, result: { content: [{ text: expect.stringContaining('ann') }] } })
    const found = await ask('POST', '/search', { body: { query: 'letters', method: 'bm25' } })
    expect(found.body.results[0]).toMatchObject({ id: 'post', upstream: 'mail' })
    const shown = await ask('POST', '/profile-preview', { body: { name: 'desk', settings: { expose: 'flat' } } })
    const names = shown.body.shown.map(({ tool }: { tool: { name: string } }) => tool.name)
    expect(names).toContain('post')
    expect(names).not.toContain('mail')
    await ask('PUT', at, { body: { enabled: false } })
    expect(await row()).toMatchObject({ shown: 'off' })
    expect((await ask('GET', '/tools/mail')).body).not.toHaveProperty('advertised')
    await ask('DELETE', at)
    expect(await row()).not.toHaveProperty('shown')
  })

  it('may speak of a tool that is not there, which is told, and of one whose parameter has gone, which is held back', async () => {
    const late = (properties: object) =>
      defineTool({ name: 'late', input: { type: 'object', properties }, handler: () => 1 } as never)
    const file = JSON.parse(readFileSync(admin.file, 'utf8'))
    const overrides = { late: { arguments: { gone: { set: 'x' } } } }
    writeFileSync(admin.file, JSON.stringify({ ...file, overrides }))
    await expect.poll(async () => (await ask('GET', '/tools')).body.absent).toEqual(['late'])
    const absent = await ask('GET', '/tools/late/override')
    expect(absent.body).toMatchObject({ id: 'late', written: overrides.late })
    expect(absent.body).not.toHaveProperty('upstream')
    admin.gateway.register(late({ here: { type: 'string' } }))
    const { body } = await ask('GET', '/tools')
    expect(body.absent).toEqual([])
    expect(body.tools.find(({ id }: { id: string }) => id === 'late')).toMatchObject({ shown: 'misfit' })
    const { misfits } = (await ask('GET', '/tools/late')).body
    expect(misfits).toEqual([{ path: 'arguments.gone', message: "upstream has no parameter 'gone'" }])
    expect((await ask('GET', '/tools/late/override')).body.problems).toEqual(misfits)
    const tried = await ask('POST', '/tools/late/call', { body: { args: {} } })
    expect(tried.body).toMatchObject({ ok: false, error: { code: 'TOOL_HELD' } })
    admin.gateway.unregister('late')
    expect((await ask('DELETE', '/tools/late/override')).body).toMatchObject({ written: {} })
    expect(admin.gateway.overrides).toBeUndefined()
    expect((await ask('GET', '/tools/late/override')).status).toBe(404)
  })
})
