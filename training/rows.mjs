// The rows and weights the product reads in texts, for conformance.py.
//
//   echo '[{"kind":"query","text":"send a letter"}]' | node training/rows.mjs --built dist
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({ options: { built: { type: 'string', default: join(root, 'dist') } } })
const load = (path) => import(pathToFileURL(resolve(flags.built, path)).href)
const { readTable } = await load('search/model/table-file.js')
const { createRowReader } = await load('search/model/tokens.js')
const { weighRows } = await load('search/model/weigh.js')

const reader = createRowReader(readTable(readFileSync(join(root, 'src/search/model/data/table.bin'))))
const texts = JSON.parse(readFileSync(0, 'utf8'))
for (const text of texts) {
  text.rows = []
  weighRows(reader, text.text, text.kind, (row, weight, part) => text.rows.push(row, part, weight))
}
console.log(JSON.stringify(texts))
