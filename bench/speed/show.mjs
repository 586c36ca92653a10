// The one table, for people, for pages and for programs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { table } from '../measure.mjs'

/** The table's head and its rows as texts; a peer has a column where it took part. */
const cells = (rows) => {
  const peers = [...new Set(rows.flatMap((row) => Object.keys(row.peers ?? {})))]
  const head = ['what', 'pegboard', 'raw relay', '× raw', 'limit', ...peers.map((name) => `${name} ÷ us`)]
  return [
    head,
    ...rows.map((row) => [
      row.what,
      `${short(row.ours)} ${row.unit}`,
      row.raw === undefined ? '' : short(row.raw),
      row.ratio === undefined ? '' : row.ratio.toFixed(2),
      limitOf(row),
      ...peers.map((name) => times(row.peers?.[name])),
    ]),
  ]
}

const limitOf = ({ limit }) => {
  if (limit === undefined) return ''
  const bound = limit.most ?? limit.least
  return `${limit.most === undefined ? '≥' : '≤'} ${bound}${limit.of === 'ratio' ? ' ×' : ''}`
}

const times = (value) => {
  if (value === undefined) return ''
  if (Number.isNaN(value)) return 'failed'
  return typeof value === 'string' ? value : value.toFixed(value < 100 ? 1 : 0)
}

const short = (value) => {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

export const machine = () => `${cpus().length} cores, Node ${process.versions.node}`

export const showTable = (rows) => {
  const [head, ...lines] = cells(rows)
  table(`Speed on ${machine()}: CPU of the own process unless it says otherwise, medians`, head, lines)
}

export const toMarkdown = (rows, { missing }) => {
  const [head, ...lines] = cells(rows)
  const line = (row) => `| ${row.join(' | ')} |`
  return [
    `${machine()}, ${new Date().toISOString().slice(0, 10)}:`,
    '',
    line(head),
    line(head.map((_, column) => (column === 0 ? '---' : '--:'))),
    ...lines.map(line),
    ...(missing.length === 0 ? [] : ['', `Not there in this run: ${missing.join('; ')}.`]),
    '',
  ].join('\n')
}

/** Into a page between its marks, where it has them; else the whole file. */
export const writeMarkdown = (file, text) => {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const [start, end] = ['<!-- speed -->\n', '<!-- /speed -->']
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  writeFileSync(file, from < 0 || to < 0 ? text : page.slice(0, from + start.length) + text + page.slice(to))
}

/** What `showClaims` of `run.mjs` takes. */
export const toClaims = (rows) =>
  rows
    .filter(({ limit }) => limit !== undefined)
    .map(({ what, unit, limit, ...row }) => ({
      claim: limit.of === 'ratio' ? `${what}, beside the raw relay` : what,
      value: row[limit.of],
      limit: limit.most ?? limit.least,
      atLeast: limit.most === undefined,
      unit: limit.of === 'ratio' ? '×' : unit,
    }))
