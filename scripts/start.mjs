// `npm start`: builds where something changed since the last build, says so, and serves. Options behind `--` go to `serve`.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stampFile, stateOfSources } from './sources-state.mjs'

const main = new URL('../dist/cli/main.js', import.meta.url)
const parts = ['../dist/index.js', '../dist/console/index.html', '../dist/search/model/data']
const isWhole = [main, ...parts.map((part) => new URL(part, import.meta.url))].every((part) => existsSync(part))
const isChinese = /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '')

if (!isWhole || !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stateOfSources()) {
  process.stderr.write(
    isChinese
      ? '正在构建 Pegboard（代码有变化），约十秒 …\n'
      : 'Building Pegboard, since something changed: about ten seconds …\n',
  )
  const build = fileURLToPath(new URL('build.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
// In this process, so that signals reach the gateway itself.
process.argv = [process.argv[0], fileURLToPath(main), 'serve', ...process.argv.slice(2)]
await import(main)
