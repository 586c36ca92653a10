// Writes what docs/cli.md and docs/config.md say about commands and keys from the code that has them, and where each requirement is tested:
// npm run docs; --check only looks.
// Straight from src/, so that no build has to be fresh; test/repository/reference.test.ts fails where a page is behind.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { referencePages } from './reference/pages.mjs'

// The pages are English in whatever shell they are made; the program takes its words when it is loaded.
process.env.LC_ALL = 'C'
const isCheck = process.argv.includes('--check')

const root = fileURLToPath(new URL('..', import.meta.url))
const load = async (module) =>
  (await runnerImport(`${root}${module}`, { root, configFile: false, logLevel: 'error' })).module

const [
  { program },
  { examples },
  { exitMeanings },
  { configJsonSchema },
  { outsideSettings, toFlag },
  { settings },
  { settingAt },
] = await Promise.all(
  [
    'cli/program.ts',
    'cli/terminal/examples.ts',
    'cli/terminal/exit.ts',
    'config/schema.ts',
    'config/layers.ts',
    'config/settings/table.ts',
    'config/settings/setting.ts',
  ].map((module) => load(`src/${module}`)),
)
const { withTested } = await load('test/repository/requirement-ids.ts')
const pages = {
  ...referencePages({
    program,
    examples,
    exitMeanings,
    schema: configJsonSchema(),
    outsideSettings: outsideSettings(),
    toFlag,
    isLive: (path) => settingAt(settings, path)?.live,
  }),
  ...Object.fromEntries(readdirSync(`${root}docs/requirements`).map((page) => [`requirements/${page}`, withTested])),
}
for (const [page, rewrite] of Object.entries(pages)) {
  const file = `${root}docs/${page}`
  const before = readFileSync(file, 'utf8')
  const after = rewrite(before)
  if (isCheck && after !== before) throw new Error(`docs/${page} is behind: npm run docs`)
  if (!isCheck) writeFileSync(file, after)
}
