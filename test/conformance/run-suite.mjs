import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json'))
const loader = new URL('loader/register.mjs', import.meta.url)
const client = fileURLToPath(new URL('client.mjs', import.meta.url))

/** All server scenarios of a revision against an address. */
export const runServerSuite = async ({ url, revision, folder }) => {
  const output = mkdtempSync(join(folder, 'server-'))
  await runSuite(['server', '--url', url, '--requirements', revision, '-o', output])
  return readResults(output, 'server-')
}

/** One client scenario, with the gateway between the suite's server and a client that drives it. */
export const runClientScenario = async ({ name, revision, folder }) => {
  const output = mkdtempSync(join(folder, 'client-'))
  const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(client)}`
  await runSuite(['client', '--command', command, '--scenario', name, '--spec-version', revision, '-o', output])
  const [result] = readResults(output, '')
  return result ?? { name, passed: 0, failed: ['the scenario left no result'], warned: [] }
}

/** Its exit code says less than its checks do, so only a suite that cannot run is an error here. */
const runSuite = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', loader.href, fileURLToPath(cli), ...args], { stdio: 'pipe' })
    let said = ''
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 || code === 1 ? resolve() : reject(new Error(said.slice(-2000)))))
  })

/** One folder per scenario, named by it and by the time. */
const readResults = (output, prefix) =>
  readdirSync(output).map((name) => {
    const checks = JSON.parse(readFileSync(join(output, name, 'checks.json'), 'utf8'))
    const told = (status) => checks.filter((check) => check.status === status)
    const say = ({ id, errorMessage = '' }) => `${id}: ${errorMessage.slice(0, 200)}`
    return {
      name: name.slice(prefix.length).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      passed: told('SUCCESS').length,
      failed: told('FAILURE').map(say),
      warned: told('WARNING').map(say),
    }
  })
