import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createInstance } from '../../src/sources/stdio/instance.js'
import { type GatewayProcess, startGateway, untilGone, untilListed } from '../helpers/gateway-process.js'
import { prisoner, prisonerFile, tell } from '../helpers/prisoner.js'

const cleanup: (() => unknown)[] = []
const before = { ...process.env }
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
  Object.assign(process.env, { PATH: before.PATH, DOCKER_CONFIG: before.DOCKER_CONFIG ?? '' })
  if (before.DOCKER_CONFIG === undefined) delete process.env.DOCKER_CONFIG
})

/** A machine with an engine of these names, which writes down what it was asked. */
const engine = (...names: string[]) => {
  const place = mkdtempSync(join(tmpdir(), 'pegboard-engine-'))
  cleanup.push(() => rmSync(place, { recursive: true, force: true }))
  const bin = join(place, 'bin')
  mkdirSync(bin)
  for (const name of names) {
    cpSync(fileURLToPath(new URL('../helpers/servers/fake-engine.mjs', import.meta.url)), join(bin, `${name}.mjs`))
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(join(bin, `${name}.mjs`))} "$@"\n`,
    )
    chmodSync(join(bin, name), 0o755)
  }
  Object.assign(process.env, { PATH: `${bin}:${before.PATH}`, DOCKER_CONFIG: place })
  const asked = () =>
    readFileSync(join(place, 'asked'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { argv: string[]; word: string | null })
  return { place, asked, runs: () => asked().filter(({ argv }) => argv[0] === 'run') }
}

const start = async (sources: object): Promise<GatewayProcess> => {
  const gateway = await startGateway({ sources })
  cleanup.push(gateway.dispose)
  await untilListed(gateway.client, Object.keys(sources))
  return gateway
}

const onPosix = process.platform === 'win32' ? describe.skip : describe

onPosix('a child in a container', () => {
  it('is started read-only, without rights and network, with its limits, and no value among its arguments', async () => {
    const { runs } = engine('docker')
    const limits = { memory: '256mb', cpus: 0.5, processes: 64, openFiles: 128, fileSize: '1mb', cpuSeconds: 60 }
    const env = { SECRET_WORD: 'xyzzy' }
    const { client } = await start({
      box: prisoner({ env, limits, sandbox: { kind: 'docker', image: 'node:22', mounts: [{ path: prisonerFile }] } }),
    })
    expect((await tell(client, 'box', 'return process.env.SECRET_WORD')).text).toBe('xyzzy')
    const [{ argv, word } = { argv: [], word: '' }] = runs()
    const line = argv.join(' ')
    expect(word).toBe('xyzzy')
    expect(line).not.toContain('xyzzy')
    const wanted = [
      ...['--rm', '--interactive', '--init', '--read-only', '--tmpfs /tmp', '--cap-drop ALL', '--network none'],
      ...['--security-opt no-new-privileges', '--memory 268435456b', '--memory-swap 268435456b', '--cpus 0.5'],
      ...['--pids-limit 64', '--ulimit nofile=128:128', '--ulimit fsize=1048576:1048576', '--ulimit cpu=60:61'],
      ...[`--mount type=bind,source=${prisonerFile},target=${prisonerFile},readonly`, '--env SECRET_WORD'],
    ]
    for (const words of wanted) expect(line).toContain(words)
    expect(argv.slice(argv.indexOf('node:22'))).toEqual(['node:22', process.execPath, prisonerFile])
  })

  it('is given the network where that is said, by podman too', async () => {
    const { runs } = engine('podman')
    await start({
      box: prisoner({
        sandbox: { kind: 'podman', image: 'node:22', network: 'open', mounts: [{ path: prisonerFile, write: true }] },
      }),
    })
    const line = runs()[0]!.argv.join(' ')
    expect(line).toContain('--network bridge')
    expect(line).toContain('--userns keep-id')
    expect(line).not.toContain('readonly')
  })

  it('F14 ends with its gateway, though killing its tool does not end it', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const { asked } = engine('docker')
      const gateway = await start({ box: prisoner({ sandbox: { kind: 'docker', image: 'i' } }) })
      const pid = Number((await tell(gateway.client, 'box', 'process.stdin.pause(); return process.pid')).text)
      gateway.child.kill(signal)
      await untilGone([pid])
      await expect.poll(() => asked().filter(({ argv }) => argv[0] === 'rm').length).toBeGreaterThan(0)
    }
  })

  it('F14 is removed at the next start where it stayed behind; one of a living gateway is not', async () => {
    const { place, asked } = engine('docker')
    const dead = createInstance().mark.replace(/^\d+-\d+/, '4194303-1')
    const [gone, living] = ['a'.repeat(64), 'b'.repeat(64)]
    writeFileSync(join(place, 'left'), `${gone} ${dead}\n${living} ${createInstance().mark}\nnonsense --force\n`)
    await start({ box: prisoner({ sandbox: { kind: 'docker', image: 'i' } }) })
    expect(asked().map(({ argv }) => argv.join(' '))).toContain(`rm --force ${gone}`)
    expect(asked().filter(({ argv }) => argv.join(' ').includes(living))).toEqual([])
  })

  it('is told apart where it was killed for its memory', async () => {
    engine('docker')
    const { client } = await start({
      box: prisoner({ limits: { memory: '256mb' }, sandbox: { kind: 'docker', image: 'i' } }),
    })
    const ended = await tell(client, 'box', 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {})')
    expect(ended.text).toContain('over its memory limit of 256 MB (most likely: it was killed)')
  })
})

const whyNoEngine = (): string | undefined => {
  const { status, error, stderr } = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], {
    encoding: 'utf8',
  })
  if (error) return error.message
  if (status !== 0) return stderr.trim().split('\n')[0]
  const images = execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}'], { encoding: 'utf8' })
  return /^node:/m.test(images) ? undefined : 'no image of node is here'
}

const why = whyNoEngine()
const whereItRuns = why === undefined ? describe : describe.skip

whereItRuns(`a real container${why === undefined ? '' : ` (not here: ${why})`}`, () => {
  it('answers, sees nothing of this machine, and is gone with the gateway', async () => {
    const image = /^node:\S+/m.exec(
      execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}'], { encoding: 'utf8' }),
    )![0]
    const { client } = await start({
      box: { ...prisoner({ sandbox: { kind: 'docker', image, mounts: [{ path: prisonerFile }] } }), command: 'node' },
    })
    const seen = await tell(
      client,
      'box',
      `return (await import('node:fs')).existsSync(${JSON.stringify(process.cwd())} + '/package.json')`,
    )
    expect(seen.text).toBe('false')
    expect(existsSync(prisonerFile)).toBe(true)
  })
})
