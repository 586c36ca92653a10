import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { askedFor, askedVerbs, nameVerbs, toolVerbs } from '../data/verbs.js'
import { formsOf, readRows } from './verb-table.js'
import { deedOf, deedsAsked, type ToolDeed } from './verbs.js'

const deeds: readonly ToolDeed[] = ['create', 'list', 'get', 'update', 'delete', 'send', 'convert', 'compute']
const asked = (query: string): string => [...new Set(deedsAsked(query))].sort().join(' ')
const toolOf = (name: string, description = '', source = 'any'): Tool => ({
  id: name,
  name,
  namespace: source,
  source,
  tags: [],
  definition: { name, description, inputSchema: { type: 'object' } },
})

describe('what is asked for', () => {
  it.each([
    ['open a pull request', 'create'],
    ['please raise a bug about the login', 'create'],
    ['could you file a ticket', 'create'],
    ['start a new branch', 'create'],
    ['remember that Anna likes tea', 'create'],
    ['open the readme', 'get'],
    ['open the garage door', 'update'],
    ['check the weather', 'get'],
    ['add these numbers', 'compute'],
    ['add a task', 'create'],
    ['which pull requests are still open', 'get list'],
    ['is the shop open on Sunday', 'get list'],
    ['how many people use it', 'get list'],
    ['show the open issues', 'list'],
    ['show commit history', 'list'],
    ['show everything you remember', 'list'],
    ['email Bob the report', 'send'],
    ['email archive', ''],
    ['get rid of this mail', 'delete'],
    ['how do I delete a branch', 'delete'],
    ['a tool that deletes what I name', 'delete'],
    ['draft a letter but do not send it', 'create'],
    ['cancel my appointment', 'delete update'],
    ['convert miles to kilometres', 'convert'],
    ['find the invoice and send it to Bob', 'list send'],
    ['', ''],
    ['lights', ''],
  ])('%s: %s', (query, wanted) => {
    expect(asked(query)).toBe(wanted)
  })

  it.each([
    ['提个 PR', 'create'],
    ['打开一个合并请求', 'create'],
    ['打开这个文件', 'get'],
    ['打开客厅的灯', 'update'],
    ['帮我记住这件事', 'create'],
    ['把你记住的都列出来', 'list'],
    ['建一个仓库', 'create'],
    ['查一下天气', 'list'],
    ['给小王发邮件', 'send'],
    ['公司的发票', ''],
    ['提交代码', 'create'],
    ['查看提交历史', 'list'],
    ['我改了什么', 'get list'],
    ['把这个合并了', 'update'],
    ['删除的文件在哪里', 'get list'],
    ['能帮我删掉这封邮件吗', 'delete'],
    ['不要删除它', ''],
    ['这家店周日开门吗', 'get list'],
    ['用户反馈', ''],
  ])('%s: %s', (query, wanted) => {
    expect(asked(query)).toBe(wanted)
  })

  it('is only ever a deed, the same whenever it is asked, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ maxLength: 20 }), (text, other) => {
        const first = [...deedsAsked(text)]
        deedsAsked(other)
        expect([...deedsAsked(text)]).toEqual(first)
        for (const deed of first) expect(deeds).toContain(deed)
      }),
    )
  })

  it('takes every verb of the table at its word, first in the sentence', () => {
    const objects = readRows(askedFor).flatMap(({ columns: [verbs = []] }) => verbs)
    const plain = readRows(askedVerbs).flatMap(({ deeds: meant, columns: [english = []] }) =>
      english.filter((verb) => !objects.includes(verb.split('_')[0]!)).map((verb) => ({ meant, verb })),
    )
    fc.assert(
      fc.property(fc.constantFrom(...plain), fc.constantFrom('', 'please ', 'can you '), ({ meant, verb }, lead) => {
        expect([...deedsAsked(`${lead}${verb.replaceAll('_', ' ')} the zebra`)]).toEqual(meant)
      }),
    )
  })

  it('reads the beginning of a text of a million characters and no more', () => {
    expect(asked(`delete it ${'x '.repeat(500_000)} and send it`)).toBe('delete')
  })
})

describe('what a tool does', () => {
  it.each([
    ['create_pull_request', 'create'],
    ['pods_delete', 'delete'],
    ['getUserInfo', 'get'],
    ['turn_off', 'update'],
    ['run_code', 'update'],
    ['price_change_chart', undefined],
    ['new_releases', undefined],
    ['删除文件', 'delete'],
    ['weather', undefined],
  ])('%s by its name: %s', (name, wanted) => {
    expect(deedOf(toolOf(name))).toBe(wanted)
  })

  it('is told by the verb behind the name of its server', () => {
    expect(deedOf(toolOf('git_reset', '', 'git'))).toBe('delete')
    expect(deedOf(toolOf('slack_post_message', '', 'slack'))).toBe('send')
  })

  it.each([
    ['Deletes a page for good.', 'delete'],
    ['This tool allows you to send a letter', 'send'],
    ['Turns an address into coordinates', undefined],
    ['Runs a SELECT on the database', undefined],
    ['The time now', undefined],
    ['用于发送短信', 'send'],
    ['天气', undefined],
  ])('%s, first word of its description: %s', (description, wanted) => {
    expect(deedOf(toolOf('thing', description))).toBe(wanted)
  })

  it('survives any name and description', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.anything(), (name, description) => {
        const deed = deedOf(toolOf(name, description as string))
        expect([...deeds, undefined]).toContain(deed)
      }),
    )
  })
})

describe('the tables of verbs', () => {
  it('name known deeds only, and give a tool’s verb one deed', () => {
    const rows = [askedVerbs, askedFor, toolVerbs, nameVerbs].flatMap(readRows)
    for (const { deeds: named } of rows) for (const deed of named) expect(deeds).toContain(deed)
    for (const column of [0, 1]) {
      const verbs = readRows(toolVerbs).flatMap(({ columns }) => columns[column] ?? [])
      expect(verbs.filter((verb, place) => verbs.indexOf(verb) !== place)).toEqual([])
    }
  })

  it('know the forms that ask, not those that tell', () => {
    expect(formsOf('create')).toEqual(['create', 'creates', 'creating'])
    expect(formsOf('stop')).toContain('stopping')
    expect(formsOf('copy')).toContain('copies')
  })
})
