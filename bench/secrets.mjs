// What searching for credentials costs: npm run bench -- secrets
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { searchBytes, searchSecrets } from '../dist/secrets/search.js'
import { table } from './measure.mjs'

const docs = fileURLToPath(new URL('../docs/', import.meta.url))
const pages = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(`${docs}${name}`, 'utf8'))
  .join('\n')

/** A result as a server sends it, with this text in it. */
const result = (text) => Buffer.from(JSON.stringify({ content: [{ type: 'text', text }] }))

const rows = JSON.stringify(
  Array.from({ length: 4000 }, (_, index) => ({
    id: `5f0${index}e8400-e29b-41d4-a716-44665544${String(index).padStart(4, '0')}`,
    name: `Item number ${index}`,
    url: `https://shop.example.com/items/${index}?ref=list`,
    updated: '2026-01-01T00:00:00Z',
  })),
)

// A fixed series: the same bytes in every run.
const noise = Buffer.from(Array.from({ length: 750_000 }, (_, index) => ((index * 2654435761) >>> 13) & 255))

const inputs = {
  'pages of prose': result(pages),
  'rows of JSON in a text': result(rows),
  'an image in base 64': result(noise.toString('base64')),
  'a short answer': result('walked the path, 42 tools, all is well'),
}

/** Processor time, not that of the clock: others may run beside. The best of many, in microseconds. */
const cost = (work, times) => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 12; round++) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / times)
  }
  return best
}

export const benchSecrets = () => {
  const measured = Object.entries(inputs).map(([name, bytes]) => {
    const times = Math.max(1, Math.ceil(2_000_000 / bytes.length))
    return { name, bytes: bytes.length, us: cost(() => searchBytes(bytes), Math.min(times, 20_000)) }
  })
  const text = inputs['pages of prose'].toString('latin1')
  let sum = 0
  const bare = cost(() => {
    for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
  }, 4)
  const perKb = ({ us, bytes }) => us / (bytes / 1024)
  table(
    'Searching for credentials',
    ['what', 'bytes', 'µs', 'µs per KB'],
    [
      ...measured.map((each) => [each.name, each.bytes, each.us.toFixed(2), perKb(each).toFixed(2)]),
      ['the pages, each character only read', text.length, bare.toFixed(0), (bare / (text.length / 1024)).toFixed(2)],
    ],
  )
  if (searchSecrets(text, true).found.length > 0 || sum < 0) throw new Error('The pages must hold no credential.')
  const long = measured.filter(({ bytes }) => bytes > 10_000)
  return [
    { claim: 'searching for credentials', value: Math.max(...long.map(perKb)), limit: 5, unit: 'µs per KB' },
    { claim: 'searching a short answer', value: measured.at(-1).us, limit: 2, unit: 'µs' },
  ]
}
