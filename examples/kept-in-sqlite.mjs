// Counts of use that survive a restart.   node examples/kept-in-sqlite.mjs
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, exampleTools, openStore } from 'pegboard'

const path = mkdtempSync(join(tmpdir(), 'pegboard-example-'))

for (const expected of [5, 10]) {
  const store = await openStore({ backend: 'sqlite', path })
  const board = createGateway({ store, tools: exampleTools() })
  await board.ready
  for (let times = 0; times < 5; times++) await board.run('calculator', { expression: '6 * 7' })
  assert.equal(board.catalog.usage.of('calculator').count, expected)
  await board.close()
  await store[Symbol.asyncDispose]()
}

const store = await openStore({ backend: 'sqlite', path })
assert.deepEqual(
  (await store.loadByTemperature('hot')).map((tool) => tool.id),
  ['calculator'],
)
await store[Symbol.asyncDispose]()
rmSync(path, { recursive: true })
console.log('kept-in-sqlite: ok')
