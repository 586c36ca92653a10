import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json'))
const loader = new URL('loader/register.mjs', import.meta.url)
const clientFor = (scenario) =>
  fileURLToPath(new URL(scenario.startsWith('auth/') ? 'auth-client.mjs' : 'client.mjs', import.meta.url))

/** All server scenarios of a revision against an address. */
export const runServerSuite = async ({ url, revision, folder }) => {
  const output = mkdtempSync(join(folder, 'server-'))
  await runSuite(['server', '--url', url, '--requirements', revision, '-o', output])
  return readResults(output, 'server-')
}

/** One client scenario, with the gateway between the suite's server and a client that drives it. */
export const runClientScenario = async ({ name, revision, folder }) => {
  const output = mkdtempSync(join(folder, 'client-'))
  const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(clientFor(name))}`
  // Extensions stand beside the revisions, and are run at each of them all the same.
  const scenario = ['--scenario', name, '--spec-version', revision, '--force', '--timeout', '60000']
  await runSuite(['client', '--command', command, ...scenario, '-o', output])
  const [result] = readResults(output, '')
  return result ?? { name, passed: 0, failed: ['the scenario left no result'], warned: [] }
}

/** Its exit code says less than its checks do, so only a suite that cannot run is an error here. */
export const runSuite = (args, onSaid = () => {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', loader.href, fileURLToPath(cli), ...args], { stdio: 'pipe' })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      onSaid(said)
    })
    child.stderr.on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 || code === 1 ? resolve() : reject(new Error(said.slice(-2000)))))
  })

/** One folder per scenario, named by it and by the time; a scenario with a slash in its name lies a folder deeper. */
export const readResults = (output, prefix) =>
  readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'checks.json')
    .map((path) => {
      const checks = JSON.parse(readFileSync(join(output, path), 'utf8'))
      const told = (status) => checks.filter((check) => check.status === status)
      const say = ({ id, errorMessage, description }) => `${id}: ${(errorMessage ?? description ?? '').slice(0, 200)}`
      return {
        name: dirname(path)
          .slice(prefix.length)
          .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
        passed: told('SUCCESS').length,
        failed: told('FAILURE').map(say),
        warned: told('WARNING').map(say),
      }
    })
