// Starts Debian's PostgreSQL for tests and measurements: a folder, a port and a socket of its own, gone at the end.
// By hand: node scripts/postgres.mjs   prints its address and runs until Ctrl-C.
import { spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const notInstalled = 'PostgreSQL is not installed: apt-get install postgresql'

/** The folder of its programs; undefined where it is not installed. Debian keeps them out of the PATH. */
export const findPostgres = () => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/**
 * A server by itself. `settings` go to its command line; `isDurable` keeps its flushes, which tests of crashes need and
 * others only wait for. The superuser is `postgres`, without a password for who comes over loopback.
 */
export const startPostgres = async ({ settings = {}, isDurable = false, port } = {}) => {
  const programs = findPostgres()
  if (!programs) throw new Error(notInstalled)
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-pg-'))
  const server = new Server(programs, folder, port ?? (await freePort()), {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  })
  try {
    server.initialise()
    await server.start()
    return server
  } catch (error) {
    await server.stop('immediate')
    throw error
  }
}

class Server {
  #programs
  #settings
  #who = unprivileged()
  #child
  #log = ''
  #databases = 0

  constructor(programs, folder, port, settings) {
    this.#programs = programs
    this.folder = folder
    this.port = port
    this.#settings = settings
  }

  get pid() {
    return this.#child?.pid
  }

  url(database = 'postgres', user = 'postgres') {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  initialise() {
    if (this.#who) chownSync(this.folder, this.#who.uid, this.#who.gid)
    const args = [
      '-D',
      join(this.folder, 'data'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ]
    const made = spawnSync(join(this.#programs, 'initdb'), args, { ...this.#options(), encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`)
  }

  /** Resolves when it takes connections. */
  async start() {
    const args = ['-D', join(this.folder, 'data'), '-p', String(this.port)]
    for (const [name, value] of Object.entries(this.#settings)) args.push('-c', `${name}=${value}`)
    this.#log = ''
    const child = spawn(join(this.#programs, 'postgres'), args, {
      ...this.#options(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.ended = ended
    await new Promise((resolve, reject) => {
      child.stderr.on('data', (chunk) => {
        this.#log = (this.#log + chunk).slice(-16_384)
        if (/ready to accept connections/.test(this.#log)) resolve()
      })
      child.once('error', reject)
      ended.then((code) => reject(new Error(`PostgreSQL ended with ${code}: ${this.#log}`)))
    })
  }

  /** What it last wrote to its log. */
  log() {
    return this.#log
  }

  /** Ends the process and leaves the data. `fast` cuts connections, `immediate` does not even tidy up, `smart` waits for them. */
  async halt(how = 'fast') {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    child.kill({ smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' }[how])
    await child.ended
  }

  async restart(how = 'fast') {
    await this.halt(how)
    await this.start()
  }

  /** Ends it and removes the folder. */
  async stop(how = 'fast') {
    await this.halt(how)
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** A database of its own in some milliseconds; its address. */
  async createDatabase(name = `t${process.pid}_${++this.#databases}`) {
    await createDatabase(this.url(), name)
    return this.url(name)
  }

  #options() {
    // Its folder, since the one we stand in may be closed to that user.
    return { cwd: this.folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' }, ...this.#who }
  }
}

/** Makes an empty database at the server of this address. */
export const createDatabase = async (url, name) => {
  const { Client } = (await import('pg')).default
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database "${name}"`)
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root; anybody else runs it as themselves. */
const unprivileged = () => {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = ['postgres', 'nobody'].map((name) => users.find(([user]) => user === name)).find(Boolean)
  if (!found) throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

/**
 * One server for many processes, which ends when the process `whilePid` does. The first who asks starts it; its address is
 * in `folder/server.json`.
 */
export const sharedPostgres = async (folder, whilePid) => {
  const note = join(folder, 'server.json')
  const failed = join(folder, 'failed')
  // Left behind by another run of the same number.
  if (existsSync(note) && !isAlive(JSON.parse(readFileSync(note, 'utf8')).pid))
    rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (claim(join(folder, 'claimed')))
    spawn(process.execPath, [fileURLToPath(import.meta.url), '--share', folder, '--while', String(whilePid)], {
      detached: true,
      stdio: 'ignore',
    }).unref()
  while (!existsSync(note)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
    await pause(25)
  }
  return JSON.parse(readFileSync(note, 'utf8'))
}

const claim = (file) => {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

const serveShared = async (folder, whilePid) => {
  try {
    const server = await startPostgres()
    const end = async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
      process.exit()
    }
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end)
    writeFileSync(join(folder, 'server.new'), JSON.stringify({ url: server.url(), pid: process.pid }))
    renameSync(join(folder, 'server.new'), join(folder, 'server.json'))
    while (isAlive(whilePid)) await pause(500)
    await end()
  } catch (error) {
    writeFileSync(join(folder, 'failed'), String(error?.stack ?? error))
  }
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name) => process.argv[process.argv.indexOf(name) + 1]
  if (process.argv.includes('--share')) await serveShared(option('--share'), Number(option('--while')))
  else {
    const server = await startPostgres({ isDurable: process.argv.includes('--durable') }).catch((error) => {
      console.error(error.message)
      process.exit(1)
    })
    console.log(server.url())
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.stop())
  }
}
