// Runs the official JSON-Schema-Test-Suite against the built schema engine and prints passed and failed per draft.
//
//   npx tsc -p tsconfig.build.json --outDir tmp/built
//   node scripts/json-schema-suite.mjs <path to the suite's tests folder> [--built tmp/built] [--optional] [--formats]
//
// Without --built the engine is taken from dist (npm run build). Tests that need another document (network references,
// meta-schemas, custom dialects) are skipped and listed: we refuse such schemas on purpose. --optional adds the
// optional tests apart from formats; --formats runs the format tests with `formats: 'assert'`. Exits 1 on any failure.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    built: { type: 'string', default: 'dist' },
    optional: { type: 'boolean', default: false },
    formats: { type: 'boolean', default: false },
  },
})
const [testsFolder] = positionals
if (!testsFolder) {
  console.error('Usage: node scripts/json-schema-suite.mjs <tests folder> [--built <folder>] [--optional] [--formats]')
  process.exit(2)
}

const { createSchemas } = await import(pathToFileURL(resolve(flags.built, 'schema/schemas.js')).href)
const dialects = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
}

let failures = 0
for (const [draft, dialect] of Object.entries(dialects)) {
  const report = runDraft(join(testsFolder, draft), dialect)
  failures += report.failed.length
  for (const line of report.failed) console.log(`  FAILED  ${draft}/${line}`)
  for (const line of report.skipped) console.log(`  skipped ${draft}/${line}`)
  const skipped = report.skippedTests
  console.log(`${draft}: ${report.passed} passed, ${report.failed.length} failed, ${skipped} skipped`)
}
process.exit(failures > 0 ? 1 : 0)

function runDraft(folder, dialect) {
  const report = { passed: 0, failed: [], skipped: [], skippedTests: 0 }
  for (const file of testFiles(folder)) {
    for (const group of JSON.parse(readFileSync(join(folder, file), 'utf8'))) runGroup(file, group, dialect, report)
  }
  return report
}

function testFiles(folder) {
  const json = (path) => readdirSync(join(folder, path)).filter((name) => name.endsWith('.json'))
  if (flags.formats) return json('optional/format').map((name) => `optional/format/${name}`)
  const optional = flags.optional ? json('optional').map((name) => `optional/${name}`) : []
  return [...json('.'), ...optional]
}

function runGroup(file, group, dialect, report) {
  const where = `${file}: ${group.description}`
  const validator = compile(withDialect(group.schema, dialect), where, report, group.tests.length)
  for (const test of validator ? group.tests : []) {
    if (validator.check(test.data).ok === test.valid) report.passed += 1
    else report.failed.push(`${where} / ${test.description}`)
  }
}

function compile(schema, where, report, tests) {
  try {
    return createSchemas({ formats: flags.formats ? 'assert' : 'annotate' }).validator(schema)
  } catch (error) {
    if (/another document/.test(error.message) || error.code === 'SCHEMA_UNSUPPORTED') {
      report.skipped.push(`${where} (${error.code}, ${tests} tests)`)
      report.skippedTests += tests
    } else report.failed.push(`${where} / does not compile: ${error.message}`)
    return undefined
  }
}

/** Draft-07 tests leave `$schema` out; the folder says it. */
function withDialect(schema, dialect) {
  return typeof schema === 'object' && !('$schema' in schema) ? { $schema: dialect, ...schema } : schema
}
