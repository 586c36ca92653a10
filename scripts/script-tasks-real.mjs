// Five tasks of script-tokens.mjs on reference servers as they are published: files of a folder, and a graph of what is remembered.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { servers } from '../test/surface/interop/servers.mjs'
import { installServers, programOf } from './reference-servers.mjs'

const { filesystem, memory } = servers

/** What the tasks work on, laid anew for each: notes, old and new, and a memory of services. */
const lay = (folder) => {
  mkdirSync(join(folder, 'notes'))
  mkdirSync(join(folder, 'photos'))
  for (let at = 1; at <= 40; at++) {
    const file = join(folder, 'notes', `note-${String(at).padStart(2, '0')}.md`)
    const todos = Array.from({ length: at % 4 }, (_, n) => `- TODO: look at point ${n + 1} again`)
    writeFileSync(file, [`# Note ${at}`, words.repeat(4), ...todos, words.repeat(3)].join('\n\n'))
    const day = new Date(Date.UTC(2026, at % 10, 1 + (at % 27)))
    utimesSync(file, day, day)
  }
  for (let at = 1; at <= 30; at++) writeFileSync(join(folder, 'photos', `IMG_${1000 + at}.JPG`), 'x')
  const lines = []
  for (let at = 1; at <= 60; at++) {
    const observations = [`version ${at % 5}.${at % 9}`, `written in ${['Go', 'Rust', 'Java'][at % 3]}`, words.trim()]
    lines.push({ type: 'entity', name: `service-${at}`, entityType: 'service', observations })
    if (at % 6 !== 0)
      lines.push({ type: 'relation', from: `team-${at % 8}`, to: `service-${at}`, relationType: 'owns' })
  }
  for (let at = 0; at < 8; at++)
    lines.push({
      type: 'entity',
      name: `team-${at}`,
      entityType: 'team',
      observations: [`works in Oslo on floor ${at}`],
    })
  writeFileSync(join(folder, 'memory.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
}

const words = 'What was said in the meeting is written down here so that nobody has to ask for it twice. '

/** Both servers, started on this folder. */
export const openServers = async (gateway, folder) => {
  installServers([filesystem, memory])
  lay(folder)
  const node = process.execPath
  await gateway.addServer('files', { command: node, args: [programOf(filesystem), folder] })
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
  await gateway.addServer('memory', { command: node, args: [programOf(memory)], env })
}

const namesIn = (listing) =>
  listing
    .split('\n')
    .filter((line) => line.startsWith('[FILE] '))
    .map((line) => line.slice(7))
    .sort()
const textOf = (answer) => (typeof answer === 'string' ? answer : answer.content)

/** Asks the same of every note, ten in a turn. */
const ofEachNote = async (turn, folder, tool) => {
  const path = join(folder, 'notes')
  const names = namesIn(textOf((await turn(['files.list_directory', { path }]))[0]))
  const all = []
  for (let at = 0; at < names.length; at += 10)
    all.push(...(await turn(...names.slice(at, at + 10).map((name) => [tool, { path: join(path, name) }]))))
  return { names, all }
}

export const realTasks = [
  {
    name: 'files: which of 40 notes have the most to do',
    byCalls: async (turn, folder) => {
      const { names, all } = await ofEachNote(turn, folder, 'files.read_text_file')
      return names
        .map((name, at) => [name, textOf(all[at]).split('TODO').length - 1])
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, 5)
    },
    input: (folder) => join(folder, 'notes'),
    script: `const names = (await tools.files.list_directory({ path: input })).content.split('\\n').map(l => l.slice(7)).sort()
const all = await Promise.all(names.map(n => tools.files.read_text_file({ path: input + '/' + n })))
return names.map((n, i) => [n, all[i].content.split('TODO').length - 1]).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 5)`,
  },
  {
    name: 'files: notes that nobody touched since March',
    byCalls: async (turn, folder) => {
      const { names, all } = await ofEachNote(turn, folder, 'files.get_file_info')
      return names.filter((_, at) => new Date(/modified: (.*)/.exec(textOf(all[at]))[1]) < new Date('2026-03-01'))
        .length
    },
    input: (folder) => join(folder, 'notes'),
    script: `const names = (await tools.files.list_directory({ path: input })).content.split('\\n').map(l => l.slice(7))
const all = await Promise.all(names.map(n => tools.files.get_file_info({ path: input + '/' + n })))
return all.filter(i => new Date(/modified: (.*)/.exec(i.content)[1]) < new Date('2026-03-01')).length`,
  },
  {
    name: 'files: 30 photos to names in small letters',
    byCalls: async (turn, folder) => {
      const path = join(folder, 'photos')
      const names = namesIn(textOf((await turn(['files.list_directory', { path }]))[0]))
      const moved = (name) => ({ source: join(path, name), destination: join(path, name.toLowerCase()) })
      for (let at = 0; at < names.length; at += 10)
        await turn(...names.slice(at, at + 10).map((name) => ['files.move_file', moved(name)]))
      return names.length
    },
    input: (folder) => join(folder, 'photos'),
    script: `const names = (await tools.files.list_directory({ path: input })).content.split('\\n').map(l => l.slice(7))
await Promise.all(names.map(n => tools.files.move_file({ source: input + '/' + n, destination: input + '/' + n.toLowerCase() })))
return names.length`,
  },
  {
    name: 'memory: services that no team owns',
    byCalls: async (turn) => {
      const [{ entities, relations }] = await turn(['memory.read_graph', {}])
      const owned = new Set(relations.map(({ to }) => to))
      return entities
        .filter(({ name, entityType }) => entityType === 'service' && !owned.has(name))
        .map(({ name }) => name)
    },
    script: `const g = await tools.memory.read_graph()
const owned = new Set(g.relations.map(r => r.to))
return g.entities.filter(e => e.entityType === 'service' && !owned.has(e.name)).map(e => e.name)`,
  },
  {
    name: 'memory: note on every Java service of team 3 that it moves',
    byCalls: async (turn) => {
      const [{ entities }] = await turn(['memory.search_nodes', { query: 'Java' }])
      const [{ relations }] = await turn(['memory.read_graph', {}])
      const own = new Set(relations.filter(({ from }) => from === 'team-3').map(({ to }) => to))
      const found = entities.filter(({ name }) => own.has(name)).map(({ name }) => name)
      await turn([
        'memory.add_observations',
        {
          observations: found.map((entityName) => ({ entityName, contents: ['moves to the new cluster in January'] })),
        },
      ])
      return found
    },
    script: `const [java, g] = await Promise.all([tools.memory.search_nodes({ query: 'Java' }), tools.memory.read_graph()])
const own = new Set(g.relations.filter(r => r.from === 'team-3').map(r => r.to))
const found = java.entities.map(e => e.name).filter(n => own.has(n))
await tools.memory.add_observations({ observations: found.map(entityName => ({ entityName, contents: ['moves to the new cluster in January'] })) })
return found`,
  },
]
