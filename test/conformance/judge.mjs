/**
 * What a run means: every failing scenario must be expected, every expected one must fail, and nothing the revision
 * requires may be expected to.
 */
export const judge = ({ title, scenarios, expected, required }) => {
  const failing = scenarios.filter(({ failed }) => failed.length > 0)
  const missing = required.filter((name) => !scenarios.some((each) => each.name === name))
  const problems = [
    ...failing
      .filter(({ name }) => !expected.includes(name))
      .flatMap(({ name, failed }) => failed.map((check) => `${name} fails: ${check}`)),
    ...expected
      .filter((name) => !failing.some((each) => each.name === name))
      .map((name) => `${name} is expected to fail and does not; take it off the list`),
    ...expected
      .filter((name) => required.includes(name))
      .map((name) => `${name} is required and may not be expected to fail`),
    ...missing.map((name) => `${name} is required and did not run`),
  ]
  const sum = (count) => scenarios.reduce((total, each) => total + count(each), 0)
  return {
    title,
    scenarios: scenarios.length,
    required: required.length,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed.length),
    warned: sum(({ warned }) => warned.length),
    expected: failing.filter(({ name }) => expected.includes(name)).length,
    problems,
  }
}

/** What fails through us, is required, and does not fail where the suite asks the fixture itself. */
export const worseThanAlone = ({ scenarios, alone, required }) => {
  const failing = (each) => each.failed.length > 0
  const alsoAlone = new Set(alone.filter(failing).map(({ name }) => name))
  return scenarios
    .filter((each) => failing(each) && required.includes(each.name) && !alsoAlone.has(each.name))
    .map(({ name }) => `${name} is required, passes with the fixture alone and fails through the gateway`)
}

/** A row that is shown and not judged: what a fixture does by itself. */
export const asRecorded = (title, scenarios, required) => ({
  ...judge({ title, scenarios, expected: [], required: [] }),
  required: required.length,
  expected: '-',
  problems: [],
})

export const printTable = (rows) => {
  const width = Math.max(...rows.map(({ title }) => title.length))
  const columns = ['scenarios', 'required', 'passed', 'failed', 'warned', 'expected']
  console.log(`${''.padEnd(width)}  ${columns.map((name) => name.padStart(9)).join(' ')}`)
  for (const row of rows)
    console.log(`${row.title.padEnd(width)}  ${columns.map((name) => String(row[name]).padStart(9)).join(' ')}`)
  for (const { title, problems } of rows) for (const problem of problems) console.log(`✗ ${title}: ${problem}`)
}
