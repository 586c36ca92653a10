import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import {
  type GatewayProcess,
  isAlive,
  startGateway,
  toConfig,
  untilGone,
  untilListed,
} from '../helpers/gateway-process.js'
import { boxed, prisoner, prisonerFile, tell, whyNoBubblewrap } from '../helpers/prisoner.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const start = async (sources: object, listed = Object.keys(sources)): Promise<GatewayProcess> => {
  const gateway = await startGateway({ sources })
  cleanup.push(gateway.dispose)
  await untilListed(gateway.client, listed)
  return gateway
}

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'pegboard-leash-'))
  cleanup.push(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Something on this machine that nobody inside may reach unless it is named. */
const canary = async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('canary')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup.push(() => void server.close())
  return { port: (server.address() as AddressInfo).port, asked }
}

const inspect = ({ file, folder: home }: GatewayProcess, name: string) => {
  const args = [builtCli(), 'inspect', name, '--json', '--config', file, '--data-path', join(home, 'data')]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

/** The processes that see this path among their arguments, in any namespace. */
const running = (text: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return Number.isInteger(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) && isAlive(pid)
      } catch {
        return false
      }
    })

const why = whyNoBubblewrap()
const whereItRuns = why === undefined ? describe : describe.skip

whereItRuns(`a child in a box of bubblewrap${why === undefined ? '' : ` (not here: ${why})`}`, () => {
  it('answers as ever, and is started again when it dies', async () => {
    const { client } = await start({ box: boxed() })
    expect((await tell(client, 'box', 'return 40 + 2')).text).toBe('42')
    const dead = await tell(client, 'box', 'process.exit(3)')
    expect(dead).toMatchObject({ isError: true, text: expect.stringContaining('exit code 3') })
    await expect.poll(async () => (await tell(client, 'box', 'return 1')).text, { interval: 50 }).toBe('1')
  })

  it('T37 sees the system to read, its mounts, and nothing else: no home, no accounts, no keys', async () => {
    const shared = folder()
    writeFileSync(join(shared, 'note'), 'hello')
    const secret = join(folder(), 'secret')
    writeFileSync(secret, 'hidden')
    const { client } = await start({ box: boxed({ mounts: [{ path: shared }] }) })
    const read = (path: string) =>
      tell(client, 'box', `return (await import('node:fs')).readFileSync(${JSON.stringify(path)}, 'utf8')`)
    expect((await read(join(shared, 'note'))).text).toBe('hello')
    const hidden = [
      secret,
      '/etc/shadow',
      '/etc/ssh/ssh_host_ed25519_key',
      join(homedir(), '.ssh/id_ed25519'),
      join(homedir(), '.bashrc'),
      `${shared}/../${secret.split('/').slice(-2).join('/')}`,
    ]
    for (const path of hidden) expect(await read(path), path).toMatchObject({ isError: true })
    expect((await read('/etc/passwd')).text).not.toContain('root:x:0:0:root:/root')
    const listed = await tell(
      client,
      'box',
      `const { readdirSync } = await import('node:fs'); return [readdirSync('/tmp'), readdirSync(process.env.HOME)]`,
    )
    expect(JSON.parse(listed.text)).toEqual([[basename(shared)], []])
  })

  it('writes only where a mount says so, in its own /tmp and its own home', async () => {
    const [open, shut] = [folder(), folder()]
    const { client } = await start({ box: boxed({ mounts: [{ path: open, write: true }, { path: shut }] }) })
    const write = (path: string) =>
      tell(client, 'box', `(await import('node:fs')).writeFileSync(${JSON.stringify(path)}, 'x'); return 'written'`)
    expect((await write(join(open, 'a'))).text).toBe('written')
    expect(readFileSync(join(open, 'a'), 'utf8')).toBe('x')
    for (const path of [join(shut, 'a'), '/usr/a', '/etc/a', '/a', '/run/a', '/home/a', '/dev/a', '/proc/self/comm'])
      expect(await write(path), path).toMatchObject({ isError: true })
    // A gateway that is root has boxes whose files are root's: what the kernel takes orders by must not open.
    for (const path of ['kernel/core_pattern', 'kernel/hostname', 'vm/drop_caches']) {
      const opened = await tell(client, 'box', `(await import('node:fs')).openSync('/proc/sys/${path}', 'w')`)
      expect(opened, path).toMatchObject({ isError: true })
    }
    const unshared = await tell(
      client,
      'box',
      `return (await import('node:child_process')).spawnSync('unshare', ['-Urm', 'true']).status`,
    )
    expect(unshared.text).not.toBe('0')
    const mark = `leash-${process.pid}`
    expect((await write(`/tmp/${mark}`)).text).toBe('written')
    expect(existsSync(`/tmp/${mark}`)).toBe(false)
  })

  it('reaches no other process: neither the gateway nor what runs beside it', async () => {
    const gateway = await start({ box: boxed(), other: prisoner() })
    const { text } = await tell(gateway.client, 'other', 'return process.pid')
    for (const pid of [gateway.pid, Number(text), process.pid]) {
      const killed = await tell(gateway.client, 'box', `process.kill(${pid}, 'SIGKILL'); return 'killed'`)
      expect(killed).toMatchObject({ isError: true, text: expect.stringContaining('ESRCH') })
    }
    expect((await tell(gateway.client, 'other', 'return 1')).text).toBe('1')
    const seen = await tell(
      gateway.client,
      'box',
      `return (await import('node:fs')).readdirSync('/proc').filter(Number).length`,
    )
    expect(Number(seen.text)).toBeLessThan(6)
  })

  it('gets variables that are its own, and none by its arguments', async () => {
    const gateway = await start({ box: { ...boxed(), env: { SECRET_WORD: 'xyzzy-plugh' } } })
    const seen = await tell(
      gateway.client,
      'box',
      'return [process.env.SECRET_WORD, process.env.HOME, process.env.USER_SECRET ?? null]',
    )
    expect(JSON.parse(seen.text)).toEqual(['xyzzy-plugh', '/home/pegboard', null])
    expect(running('xyzzy-plugh')).toEqual([])
  })

  it('is loaded with what it may have written, but only inside', async () => {
    const open = folder()
    const library = join(open, 'absent.so')
    const { client, folder: home } = await start({
      box: { ...boxed({ mounts: [{ path: open, write: true }] }), env: { LD_PRELOAD: library } },
    })
    expect(home).not.toBe(open)
    expect((await tell(client, 'box', 'return process.env.LD_PRELOAD')).text).toBe(library)
    // The process outside the box has no such variable.
    const outside = running(library).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
    expect(outside.some((variables) => variables.includes('PEGBOARD_INSTANCE'))).toBe(false)
    expect(outside.flat().filter((variable) => variable.startsWith('LD_PRELOAD='))).toEqual([])
  })

  it('has no network unless it is given one', async () => {
    const { port, asked } = await canary()
    const { client } = await start({ box: boxed(), open: boxed({ network: 'open' }) })
    const code = `return await (await fetch('http://127.0.0.1:${port}/')).text()`
    expect(await tell(client, 'box', code)).toMatchObject({ isError: true })
    expect(asked).toEqual([])
    expect((await tell(client, 'open', code)).text).toBe('canary')
  })

  it('T10, T11 reaches what its list names through our proxy, and nothing else by any way', async () => {
    const [good, bad] = [await canary(), await canary()]
    const gateway = await start({
      box: boxed({ network: { allow: [`127.0.0.1:${good.port}`, `localhost.example:${bad.port}`] } }),
    })
    const { client } = gateway
    const curl = (...args: string[]) =>
      tell(
        client,
        'box',
        `const { spawnSync } = await import('node:child_process')
         const { stdout, status } = spawnSync('curl', ['-sS', '-m', '20', '-w', ' %{http_code} %{http_connect}', ...${JSON.stringify(args)}])
         return status + ' ' + stdout`,
      )
    // Plain, and by CONNECT as everything with TLS goes.
    expect((await curl(`http://127.0.0.1:${good.port}/a`)).text).toBe('0 canary 200 000')
    expect((await curl('--proxytunnel', `http://127.0.0.1:${good.port}/b`)).text).toBe('0 canary 200 200')
    expect(good.asked).toEqual(['GET /a', 'GET /b'])
    const denied = [
      [`http://127.0.0.1:${bad.port}/`],
      ['--proxytunnel', `http://127.0.0.1:${bad.port}/`],
      // The same place in other spellings, and a header that names another.
      [`http://127.1:${bad.port}/`],
      [`http://0x7f000001:${bad.port}/`],
      [`http://[::ffff:127.0.0.1]:${bad.port}/`],
      ['-H', `Host: 127.0.0.1:${good.port}`, `http://127.0.0.1:${bad.port}/`],
      // Past the proxy there is no way at all.
      ['--noproxy', '*', `http://127.0.0.1:${bad.port}/`],
      ['--noproxy', '*', `http://127.0.0.1:${good.port}/`],
    ]
    for (const args of denied) expect((await curl(...args)).text, args.join(' ')).not.toContain('canary')
    expect(bad.asked).toEqual([])
    expect(good.asked).toHaveLength(2)
    await gateway.logged('Kept a sandboxed source from a place that is not on its list')
  })

  it('refuses a name on its list that leads inside', async () => {
    const { port, asked } = await canary()
    // This machine's own name leads to an address of its own, which the list does not name.
    const name = execFileSync('hostname', { encoding: 'utf8' }).trim()
    const { client } = await start({ box: boxed({ network: { allow: [`${name}:${port}`] } }) })
    const told = await tell(
      client,
      'box',
      `const { spawnSync } = await import('node:child_process')
       return String(spawnSync('curl', ['-sS', '-m', '20', '-w', '%{http_code}', 'http://${name}:${port}/']).stdout)`,
    )
    expect(told.text).toMatch(/403|502/)
    expect(asked).toEqual([])
  })

  it('F13, F14 dies with the gateway, with all it started, however that ends', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const gateway = await start({ box: boxed(), net: boxed({ network: { allow: ['example.com:443'] } }) })
      const mark = `${4000 + (process.pid % 1000)}.${signal.length}77`
      for (const name of ['box', 'net'])
        await tell(
          gateway.client,
          name,
          `const { spawn } = await import('node:child_process')
           spawn('sleep', ['${mark}'], { detached: true, stdio: 'ignore' }).unref(); return 1`,
        )
      await expect.poll(() => running(mark)).toHaveLength(2)
      const everybody = [...running(mark), ...running(prisonerFile)]
      gateway.child.kill(signal)
      await untilGone(everybody)
    }
  })

  it('keeps its limits inside: memory and processes of the whole box', async () => {
    const limits = { memory: '300mb', processes: 60, openFiles: 200 }
    const { client } = await start({ box: boxed({}, { limits }), forker: boxed({}, { limits: { processes: 60 } }) })
    const eaten = await tell(
      client,
      'box',
      'globalThis.held = []; for (;;) { held.push(Buffer.alloc(8e6, 1)); await new Promise(setImmediate) }',
    )
    expect(eaten.text).toContain('over its memory limit of 300 MB')
    // By double fork: no parent, no group and no variable leads back to it.
    const forked = await tell(
      client,
      'forker',
      `const { spawn } = await import('node:child_process')
       for (let i = 0; i < 80; i += 1) spawn('sh', ['-c', 'env -i setsid sleep 1000 & exit'], { detached: true, stdio: 'ignore' })
       await new Promise(() => {})`,
    )
    expect(forked.text).toContain('over its limit of processes of 60')
  })

  it('says which file its sandbox hides, and how to show it', async () => {
    const gateway = await start({ hidden: prisoner({ sandbox: 'bubblewrap' }), other: prisoner() }, ['other'])
    await expect
      .poll(() => inspect(gateway, 'hidden').status.reason)
      .toContain(`Not seen inside its sandbox: ${prisonerFile}. Name what it needs in "sandbox.mounts".`)
  })

  it('T37 takes no mount that leads to the system, out of a writable one, or nowhere', async () => {
    const open = folder()
    mkdirSync(join(open, 'sub'))
    symlinkSync('/', join(open, 'all'))
    symlinkSync('/etc', join(open, 'out'))
    const mounts = {
      root: [{ path: '/' }],
      dotted: [{ path: `${open}/../..//` }],
      linked: [{ path: join(open, 'all') }],
      system: [{ path: '/usr/local', write: true }],
      escape: [{ path: open, write: true }, { path: join(open, 'out') }],
      nowhere: [{ path: join(open, 'absent') }],
    }
    const sources = Object.fromEntries(Object.entries(mounts).map(([name, each]) => [name, boxed({ mounts: each })]))
    const gateway = await start({ ...sources, other: prisoner() }, ['other'])
    for (const name of Object.keys(mounts)) {
      await expect.poll(() => inspect(gateway, name).status.state, { interval: 100 }).toBe('needs-config')
      expect(inspect(gateway, name).status.reason).toMatch(/^The mount /)
    }
  })

  it('restarts alone when its guards change', async () => {
    const sources = { a: boxed(), b: boxed({}, { limits: { openFiles: 99 } }) }
    const gateway = await start(sources)
    // Kept in the process: only one that was never restarted has it.
    for (const name of ['a', 'b']) await tell(gateway.client, name, 'globalThis.mark = "old"')
    const marked = async (name: string) => (await tell(gateway.client, name, 'return globalThis.mark ?? "new"')).text
    writeFileSync(gateway.file, toConfig({ sources: { ...sources, a: boxed({ network: 'open' }) } }))
    await expect.poll(() => marked('a'), { interval: 50 }).toBe('new')
    expect(await marked('b')).toBe('old')
  })
})

describe('a sandbox that this machine cannot make', () => {
  it('keeps the source from running, with the reason, and no other from running', async () => {
    const bin = folder()
    const home = folder()
    const config = {
      sources: { box: boxed(), docked: prisoner({ sandbox: { kind: 'podman', image: 'node:22' } }), other: prisoner() },
    }
    writeFileSync(join(home, 'pegboard.json'), toConfig(config))
    const args = [
      builtCli(),
      'list',
      '--sources',
      '--json',
      '--config',
      join(home, 'pegboard.json'),
      '--data-path',
      join(home, 'data'),
    ]
    // A search path without either program.
    const output = execFileSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, PATH: bin },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const sources = JSON.parse(output) as { name: string; status: { state: string; reason?: string } }[]
    const of = (name: string) => sources.find((source) => source.name === name)!.status
    expect(of('box')).toMatchObject({
      state: 'needs-config',
      reason: expect.stringMatching(
        process.platform === 'linux' ? /bubblewrap is not installed\. Install it/ : /needs Linux/,
      ),
    })
    expect(of('docked')).toMatchObject({
      state: 'needs-config',
      reason: expect.stringContaining('podman is not installed'),
    })
    expect(of('other').state).toBe('ready')
  })
})
