/** Runs every case in interleaved rounds and gives the median µs per run, so that one noisy moment spoils no case alone. */
export const measure = async (cases, { rounds = 15, minMs = 20 } = {}) => {
  const samples = Object.fromEntries(Object.keys(cases).map((name) => [name, []]))
  const counts = {}
  for (const [name, run] of Object.entries(cases)) counts[name] = await calibrate(run, minMs)
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(cases)) samples[name].push((await time(run, counts[name])) / counts[name])
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}

const calibrate = async (run, minMs) => {
  await time(run, 2000)
  let count = 500
  while ((await time(run, count)) < minMs * 1000) count *= 2
  return count
}

/** µs for `count` runs. Awaits only what is a promise, so that synchronous cases pay for nothing else. */
const time = async (run, count) => {
  const isAsync = typeof run()?.then === 'function'
  const startedAt = performance.now()
  if (isAsync) for (let index = 0; index < count; index++) await run()
  else for (let index = 0; index < count; index++) run()
  return (performance.now() - startedAt) * 1000
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

export const table = (title, head, rows) => {
  const all = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const line = (row) =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  ')
  console.log(`\n${title}\n${line(all[0])}\n${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  for (const row of all.slice(1)) console.log(line(row))
}
