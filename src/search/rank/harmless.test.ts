import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tool, ToolAnnotations } from '../../model/tool.js'
import { createSearch } from '../search.js'
import { harmlessFirst } from './harmless.js'

const toolOf = (name: string, annotations?: ToolAnnotations, description = ''): Tool => ({
  id: name,
  name,
  namespace: 'any',
  source: 'any',
  tags: [],
  definition: { name, description, inputSchema: { type: 'object' }, annotations },
})
const ranked = (...tools: readonly (Tool | string)[]) =>
  tools.map((tool, place) => ({ tool: typeof tool === 'string' ? toolOf(tool) : tool, score: 0.8 - place / 10 }))
const namesFor = (query: string, tools: ReturnType<typeof ranked>, isReadonly?: (tool: Tool) => boolean) =>
  harmlessFirst(tools, query, ({ tool }) => tool, isReadonly).map(({ tool }) => tool.name)

describe('a harmless tool first', () => {
  it.each([
    ['remember this', 'delete_relations', 'create_relations'],
    ['帮我记住这件事', 'delete_relations', 'create_relations'],
    ['show my mail', 'send_mail', 'list_mail'],
    ['open a pull request', 'merge_pull_request', 'create_pull_request'],
    ['which containers are running', 'run_container', 'list_containers'],
    ['shut down the container', 'remove_container', 'stop_container'],
    ['email Bob', 'delete_email', 'send_email'],
    ['draft a mail but do not send it', 'send_email', 'draft_email'],
    ['relations', 'delete_relations', 'read_relations'],
  ])('%s: not %s but %s', (query, harmful, harmless) => {
    expect(namesFor(query, ranked(harmful, harmless))).toEqual([harmless, harmful])
  })

  it.each([
    ['delete the mail', 'delete_email', 'read_email'],
    ['删掉这封邮件', 'delete_email', 'read_email'],
    ['cancel the event', 'delete_event', 'update_event'],
    ['send a mail', 'send_email', 'draft_email'],
    ['find the report and send it', 'send_email', 'search_files'],
  ])('%s: %s stays, since it is asked for', (query, asked, other) => {
    expect(namesFor(query, ranked(asked, other))).toEqual([asked, other])
  })

  it('passes over all that harm, and keeps their order behind it', () => {
    expect(namesFor('show the notes', ranked('delete_notes', 'wipe_notes', 'read_notes', 'list_tags'))).toEqual([
      'read_notes',
      'delete_notes',
      'wipe_notes',
      'list_tags',
    ])
  })

  it('leaves the order alone where everything harms', () => {
    expect(namesFor('show the notes', ranked('delete_notes', 'wipe_notes'))).toEqual(['delete_notes', 'wipe_notes'])
  })

  it('puts a tool that only overwrites behind nothing that hardly fits', () => {
    const tools = [
      { tool: toolOf('update_note'), score: 0.8 },
      { tool: toolOf('list_planets'), score: 0.1 },
    ]
    expect(namesFor('show the note', tools)).toEqual(['update_note', 'list_planets'])
  })

  it('asks hints and the operator where verbs leave it open', () => {
    const harmful = toolOf('note_wizard', { destructiveHint: true })
    expect(namesFor('show my note', ranked(harmful, 'list_notes'))).toEqual(['list_notes', 'note_wizard'])
    expect(namesFor('show my note', ranked(harmful, 'list_notes'), () => true)).toEqual(['note_wizard', 'list_notes'])
    const claims = toolOf('run_report', { readOnlyHint: true })
    expect(namesFor('show my report', ranked(claims, 'list_reports'))).toEqual(['run_report', 'list_reports'])
  })

  it('believes the verb and not the hint of a tool that deletes', () => {
    const liar = toolOf('delete_notes', { readOnlyHint: true })
    expect(namesFor('show my notes', ranked(liar, 'list_notes'))).toEqual(['list_notes', 'delete_notes'])
  })

  it('never loses a tool, and stays an order of scores, for any query', () => {
    const name = fc.constantFrom('delete_a', 'send_b', 'get_c', 'update_d', 'create_e', 'thing_f')
    const query = fc.oneof(
      fc.string(),
      fc.constantFrom('show it', 'remember it', 'delete it', 'send it', '看一下', 'a'),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name), query, (names, asked) => {
        const before = ranked(...names)
        const after = harmlessFirst(before, asked, ({ tool }) => tool, undefined)
        expect(after.map(({ tool }) => tool.name).sort()).toEqual([...names].sort())
        expect(after.every(({ score }, place) => place === 0 || score <= after[place - 1]!.score)).toBe(true)
      }),
    )
  })

  it.each(['auto', 'bm25'])('holds by %s, however few results are wanted', (method) => {
    const search = createSearch()
    const added = [
      toolOf('delete_relations', undefined, 'Remember relations no more: takes relations out of the graph'),
      toolOf('add_facts', undefined, 'Adds facts to the graph, to remember them'),
    ]
    search.apply({ added, changed: [], removed: [] })
    const [first] = search.searchSync('remember relations of the graph', { method, limit: 1 }).results
    expect(first?.tool.name).toBe('add_facts')
    const [asked] = search.searchSync('delete relations of the graph', { method, limit: 1 }).results
    expect(asked?.tool.name).toBe('delete_relations')
  })
})
