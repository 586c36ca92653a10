// Reads the training text: what it is and which pairs are made of it. See README.md for the sources.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const partMark = '\u001e'

/** A tool as the model reads it; the same parts as src/search/model/model-text.ts. */
export const toolSide = ({ name = '', title = '', source = '', description = '', parameter = '' }) => ({
  kind: 'tool',
  text: [title ? `${name} \n${title}` : name, source, description, parameter, ''].join(partMark),
})

export const querySide = (text) => ({ kind: 'query', text })

const lines = (path) => {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n').filter(Boolean)
}

/** Every tenth tool is kept from the table, so that the fusion can be taught on tools the table has not seen. */
export const isHeldOut = (key) => hash(key) % 10 === 0

export const hash = (text) => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0
  return (value ^ (value >>> 13)) >>> 0
}

/** Calls `add({ group, left, right, key, weight? })` for each pair of texts that belong together. */
export const eachPair = (folder, dataFolder, thesaurus, random, add) => {
  queryPairs(folder, readDescriptions(join(dataFolder, 'intents.txt')), add)
  operationPairs(folder, add)
  for (const line of lines(join(folder, 'parallel.tsv.gz'))) {
    const [english, chinese, src = ''] = line.split('\t')
    if (english && chinese)
      add({ group: `parallel|${src}`, left: querySide(chinese), right: querySide(english), key: english })
  }
  lexiconPairs(folder, add)
  groupPairs(dataFolder, thesaurus, random, add)
  needPairs(dataFolder, add)
}

export const readQueryPairs = (folder) => lines(join(folder, 'pairs.jsonl.gz')).map((line) => JSON.parse(line))
export const readOperations = (folder) => lines(join(folder, 'operations.jsonl.gz')).map((line) => JSON.parse(line))

/** What a tool for each bare intent would say of itself. */
export const readDescriptions = (path) =>
  new Map(
    lines(path)
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.split(' | ')),
  )

const queryPairs = (folder, descriptions, add) => {
  for (const { query, tool, lang, src } of readQueryPairs(folder)) {
    const key = `${tool.server ?? ''}|${tool.name}`
    const right = toolSide({ name: tool.name, source: tool.server ?? '', description: tool.description ?? '' })
    add({ group: `pair|${src}|${lang}`, left: querySide(query), right, key })
    // A bare intent teaches little; the same utterance with what a tool for it would say teaches user language.
    const described = descriptions.get(tool.name)
    if (described && hash(query) % 2 === 0) {
      const name = hash(query) % 4 === 0 ? tool.name : ''
      add({
        group: `intent|${src}|${lang}`,
        left: querySide(query),
        right: toolSide({ name, description: described }),
        key,
      })
    }
  }
}

const operationPairs = (folder, add) => {
  for (const { server, name, title = '', text = '', params = [], src, lang } of readOperations(folder)) {
    const key = `${server}|${name}`
    const parameter = params.join(' ')
    const isOwnTitle = title !== '' && title.slice(0, 40) !== text.slice(0, 40)
    if (isOwnTitle) {
      add({
        group: `title|${src}|${lang}`,
        left: querySide(title),
        right: toolSide({ name, source: server, description: text, parameter }),
        key,
      })
    }
    if (text === '') continue
    const [first] = text.split(/[.。；;]/)
    add({
      group: `name|${src}|${lang}`,
      left: querySide(first),
      right: toolSide({ name, source: server, parameter }),
      key,
    })
    add({
      group: `text|${src}|${lang}`,
      left: querySide(isOwnTitle ? title : name),
      right: toolSide({ description: text }),
      key,
    })
  }
}

const lexiconPairs = (folder, add) => {
  for (const line of lines(join(folder, 'lexicon-induced.tsv'))) {
    if (line.startsWith('#')) continue
    const [chinese, english, share] = line.split('\t')
    if (Number(share) < 0.15 || chinese.length < 2) continue
    add({ group: 'lexicon', left: querySide(chinese), right: querySide(english), key: english })
  }
}

/** Groups of words about one thing: any two handfuls of a group belong together, across the languages too. */
const groupPairs = (dataFolder, thesaurus, random, add) => {
  const groups = [
    ...readGroups(thesaurus.trim().split('\n'), 'synonyms'),
    ...readGroups(lines(join(dataFolder, 'topics.txt')), 'topics'),
  ]
  for (const { kind, english, chinese, number } of groups) {
    const handful = (list, most) =>
      Array.from({ length: 1 + Math.floor(random() * most) }, () => list[Math.floor(random() * list.length)])
    const rounds = 3 * (english.length + chinese.length)
    for (let i = 0; i < rounds; i++) {
      const left =
        chinese.length > 0 && random() < 0.5 ? handful(chinese, 2).join('，') : handful(english, 2).join(', ')
      const right =
        chinese.length > 0 && random() < 0.25 ? handful(chinese, 3).join('，') : handful(english, 3).join(', ')
      add({ group: kind, left: querySide(left), right: toolSide({ description: right }), key: `${kind}-${number}` })
    }
  }
}

const readGroups = (all, kind) =>
  all
    .filter((line) => !line.startsWith('#'))
    .map((line, number) => {
      const [english = '', chinese = ''] = line.split('|')
      const comma = kind === 'topics' ? /\s*[,，]\s*/ : /\s+/
      const cut = (text) => text.trim().split(comma).filter(Boolean)
      return { kind, number, english: cut(english), chinese: cut(chinese) }
    })

/** Tools as people write them and the needs they answer, by hand. */
const needPairs = (dataFolder, add) => {
  for (const line of lines(join(dataFolder, 'needs.txt'))) {
    if (line.startsWith('#')) continue
    const [name, description, ...needs] = line.split('|').map((part) => part.trim())
    for (const need of needs.flatMap((part) => part.split(/\s*[;；]\s*/)).filter(Boolean)) {
      add({ group: 'needs', left: querySide(need), right: toolSide({ name, description }), key: `need-${name}` })
      add({ group: 'needs', left: querySide(need), right: toolSide({ description }), key: `need-${name}` })
    }
  }
}
