// Runs inside a mount namespace on a small tmpfs: fills it, saves into the full disk, makes room, saves again.
// Arguments: module of openStore, backend, folder. Prints one line of JSON.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [entry, backend, mount] = process.argv.slice(2)
const { openStore } = await import(entry)
const path = join(mount, 'data')
const filler = join(mount, 'filler')

const tool = (id, size = 200) => ({
  id,
  namespace: 'full',
  source: 'full',
  definition: { name: id, description: 'x'.repeat(size), inputSchema: { type: 'object' } },
  tags: ['full'],
  useCount: 0,
  lastUsed: null,
  temperature: 'cold',
})

const fill = () => {
  for (let size = 1 << 18; size >= 1; size >>= 1) {
    try {
      writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // That much does not fit; half of it may.
    }
  }
}
const attempt = (work) =>
  work.then(
    () => 'ok',
    (error) => ({ code: error.code, message: error.message }),
  )
const ids = async (store) => (await store.load()).map(({ id }) => id)

const report = {}
let store = await openStore({ backend, path })
await store.saveMany([tool('a'), tool('b')])
fill()
report.full = await attempt(store.saveMany([tool('c', 60_000), tool('d', 60_000)]))
report.inMemory = await ids(store)
report.problems = await store.validate()
await store[Symbol.asyncDispose]()
// A restart while the disk is still full must find everything.
const again = await attempt(openStore({ backend, path }).then((opened) => (store = opened)))
report.reopenedFull = again === 'ok' ? await ids(store) : again
rmSync(filler)
if (again !== 'ok') store = await openStore({ backend, path })
report.retried = await attempt(store.save(tool('c', 20_000)))
report.afterRetry = await ids(store)
await store[Symbol.asyncDispose]()
store = await openStore({ backend, path })
report.finally = await ids(store)
await store[Symbol.asyncDispose]()
console.log(JSON.stringify(report))
