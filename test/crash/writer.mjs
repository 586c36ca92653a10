// The victim: saves as fast as it can and reports each save on stdout only after its promise resolved.
// Arguments: module of openStore, backend, folder, number of the run.
import { writeSync } from 'node:fs'

const [entry, backend, path, run] = process.argv.slice(2)
const { openStore } = await import(entry)
const store = await openStore({ backend, path })
const say = (line) => writeSync(1, `${line}\n`)

/** The text tells a torn record from a whole one: its parts must agree. */
const tool = (id, count) => ({
  id,
  namespace: 'crash',
  source: 'crash',
  definition: { name: id, description: `count ${count} `.repeat(40), inputSchema: { type: 'object', count } },
  tags: [`count-${count % 7}`],
  useCount: count,
  lastUsed: count,
  temperature: 'cold',
})

say('ready')
for (let count = 1; ; count++) {
  const id = `run${run}.t${count % 5}`
  await store.save(tool(id, count))
  say(`saved ${id} ${count}`)
  if (count % 4 === 0) {
    const pair = [`run${run}.pair-a`, `run${run}.pair-b`]
    await store.saveMany(pair.map((name) => tool(name, count)))
    for (const name of pair) say(`saved ${name} ${count}`)
  }
  if (count % 9 === 0) {
    await store.delete(`run${run}.t${(count + 1) % 5}`)
    say(`deleted run${run}.t${(count + 1) % 5} ${count}`)
  }
}
