// Moves what a data folder keeps from one backend to another: node examples/move-storage.mjs FOLDER [from = json] [to = sqlite]
// Stop the gateway first. Nothing is taken away from where it was. Without a folder it tries itself out on one of its own.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from 'pegboard'
import { ToolRegistry } from 'pegboard/compat'

/** What is kept beside the tools; keys and sign-ins are files of their own with every backend. */
const kinds = ['approvals', 'verdicts', 'seen-sources', 'vectors']

const move = async (path, from, to) => {
  const source = await openStore({ backend: from, path })
  const target = await openStore({ backend: to, path })
  try {
    const tools = await source.load()
    await target.saveMany(tools)
    for (const kind of kinds) await target.documents(kind).putMany(await source.documents(kind).all())
    assert.deepEqual(await target.load(), tools)
    return tools.length
  } finally {
    await source[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  }
}

const tryOut = async () => {
  const path = mkdtempSync(join(tmpdir(), 'pegboard-move-'))
  try {
    const before = await openStore({ backend: 'json', path })
    const registry = await ToolRegistry.open({ store: before })
    registry.register({ name: 'github.create_pr', description: 'Create a pull request' })
    registry.updateUsage('github.create_pr')
    await registry.close()
    await before[Symbol.asyncDispose]()
    assert.equal(await move(path, 'json', 'sqlite'), 1)
    const after = await openStore({ backend: 'sqlite', path })
    const moved = await ToolRegistry.open({ store: after })
    assert.equal(moved.getTool('github.create_pr').use_frequency, 1)
    await moved.close()
    await after[Symbol.asyncDispose]()
    console.log('move-storage: ok')
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

const [folder, from = 'json', to = 'sqlite'] = process.argv.slice(2)
if (folder === undefined) await tryOut()
else console.log(`${await move(folder, from, to)} tools moved from ${from} to ${to}`)
