// A whole gateway inside your program: what `pegboard serve` runs, from the same kind of file, with every rule of it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, openBoard } from 'pegboard/server'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-example-'))
const file = join(folder, 'pegboard.json')
const write = (config) => writeFileSync(file, JSON.stringify({ storage: { path: join(folder, 'data') }, ...config }))
write({ toolManager: { blacklist: ['calculator'] } })

const board = await openBoard(await loadConfig({ file }), { http: { port: 0 } })
const names = async () => {
  const { tools } = await (await fetch(`${board.url}/api/v1/tools`)).json()
  return tools.map(({ name }) => name)
}
assert.ok(!(await names()).includes('calculator'))

// The file is followed; a program that does not want to wait for that says so.
write({})
await board.reload(await loadConfig({ file }))
assert.ok((await names()).includes('calculator'))

await board.close()
rmSync(folder, { recursive: true })
console.log('run-a-configuration: ok')
