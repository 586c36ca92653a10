// Reads, and tries to write, a store on a file system that was made read-only. Prints one line of JSON.
// Arguments: module of openStore, backend, folder, and `tidy` to only open and close.
import { join } from 'node:path'

const [entry, backend, mount, tidy] = process.argv.slice(2)
const { openStore } = await import(entry)
const store = await openStore({ backend, path: join(mount, 'data') })
const tools = await store.load()
if (tidy) {
  await store[Symbol.asyncDispose]()
  process.exit()
}
const attempt = (work) =>
  work.then(
    () => 'ok',
    (error) => ({ code: error.code, message: error.message }),
  )
const report = {
  ids: tools.map(({ id }) => id),
  save: await attempt(store.save({ ...tools[0], useCount: 7 })),
  delete: await attempt(store.delete(tools[0].id)),
  counts: (await store.load()).map(({ useCount }) => useCount),
  problems: await store.validate(),
}
await store[Symbol.asyncDispose]()
console.log(JSON.stringify(report))
