// One figure over both test runs, by room: lines that a test ran in its own process, or in a process of the program it started.
// Fails below a floor.
//   node scripts/coverage.mjs      after `npm test` and `npm run test:system`
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { floors } from './coverage-floors.mjs'
import { addProcesses } from './process-coverage.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const inTests = join(root, 'coverage/coverage-final.json')
const inSystemTests = join(root, 'coverage/system/coverage-final.json')
const ofProcesses = join(root, 'coverage/system/processes')

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const pathOf = (file) => relative(root, file).split(sep).join('/')

/** Each source file's statements, where they begin and whether anybody ran them. */
const statementsOf = (report) => {
  const files = new Map()
  for (const [file, { statementMap, s }] of Object.entries(report))
    files.set(
      pathOf(file),
      Object.entries(statementMap).map(([id, { start }]) => ({ ...start, ran: s[id] > 0 })),
    )
  return files
}

/** The other run's statements are the same ones, in the files it loaded. */
const addRun = (files, report) => {
  const key = ({ line, column }) => `${line}:${column}`
  for (const [file, statements] of statementsOf(report)) {
    const ran = new Set(statements.filter((statement) => statement.ran).map(key))
    for (const statement of files.get(file) ?? []) statement.ran ||= ran.has(key(statement))
  }
}

/** A line counts by what begins on it, and ran if anything did. */
const linesOf = (files, inRoom) => {
  let all = 0
  let ran = 0
  for (const [file, statements] of files) {
    if (!inRoom(file)) continue
    const lines = new Map()
    for (const statement of statements) lines.set(statement.line, lines.get(statement.line) || statement.ran)
    all += lines.size
    for (const each of lines.values()) if (each) ran += 1
  }
  return { all, ran, percent: all === 0 ? 0 : (100 * ran) / all }
}

const files = statementsOf(read(inTests))
const alone = new Map([...files].map(([file, statements]) => [file, statements.map((each) => ({ ...each }))]))
if (existsSync(inSystemTests)) addRun(files, read(inSystemTests))
if (existsSync(ofProcesses)) addProcesses(files, ofProcesses)

const roomOf = (file) =>
  file
    .split('/')
    .slice(0, file.startsWith('src/faces/') ? 3 : 2)
    .join('/')
const isIn = (place) => (file) => file === place || file.startsWith(`${place}/`)
const rooms = [...new Set([...files.keys()].map(roomOf))].sort()
const shown = (number) => `${number.toFixed(1)} %`.padStart(8)
const below = []
console.log(`lines covered ${'npm test'.padStart(30)} ${'with system'.padStart(12)} ${'floor'.padStart(6)}`)
for (const place of [
  'src',
  ...rooms,
  ...Object.keys(floors).filter((each) => each !== 'src' && !rooms.includes(each)),
]) {
  const { all, percent } = linesOf(files, isIn(place))
  const floor = floors[place]
  const row = `${place.padEnd(34)} ${shown(linesOf(alone, isIn(place)).percent)} ${shown(percent).padStart(12)}`
  console.log(`${row} ${floor === undefined ? '' : String(floor).padStart(6)}`)
  if (floor !== undefined && all === 0)
    below.push(`${place} is nowhere: name where it went in scripts/coverage-floors.mjs`)
  else if (floor !== undefined && percent < floor)
    below.push(`${place}: ${percent.toFixed(2)} % of lines, and ${floor} are wanted`)
}
for (const line of below) console.error(line)
if (below.length > 0) process.exitCode = 1
