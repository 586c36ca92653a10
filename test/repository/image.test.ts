import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../helpers/snippets.js'

const dockerfile = readFileSync(join(root, 'ops/Dockerfile'), 'utf8')

/** What Alpine, Node, npm and tini take cannot be measured here: docs/docker.md has the sum with estimates. */
const mostBytes = 55_000_000

describe('the image (N14)', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-image-'))
    const run = (command: string, args: readonly string[]) =>
      execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]))
    run('sh', [join(root, 'ops/app-layer.sh'), join(folder, packed.filename), join(folder, 'app')])
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has a layer of ours that is small', () => {
    const files = readdirSync(join(folder, 'app'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    console.log(`the layer of the image that is ours: ${(bytes / 1e6).toFixed(1)} MB in ${files.length} files`)
    expect(bytes).toBeLessThan(mostBytes)
  })

  it('runs from that layer alone, by the path that the image starts', async () => {
    const script = /"(\/app\/[^"]+main\.js)"/.exec(dockerfile)![1]!
    const own = join(folder, script)
    expect(existsSync(own)).toBe(true)
    writeFileSync(join(folder, 'pegboard.json'), '{ "storage": { "backend": "sqlite" } }')
    const child = spawn(process.execPath, [own, 'serve', '--json', '--port', '0'], {
      cwd: folder,
      env: {
        HOME: folder,
        PATH: '/usr/bin:/bin',
        PEGBOARD_CONFIG: join(folder, 'pegboard.json'),
        PEGBOARD_DATA_PATH: join(folder, 'data'),
      },
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await expect.poll(() => said).toMatch(/Listening: (http:\/\/127\.0\.0\.1:\d+)/)
    const url = /Listening: (http:\/\/[^/]+)/.exec(said)![1]!
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/`)).headers.get('content-type')).toContain('text/html')
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
  })

  it('is built in stages, runs as nobody special, and says whether it is well', () => {
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2)
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK /m)
    expect(dockerfile).toMatch(/^VOLUME \/data$/m)
    // What stays of the first stage is named, so that nothing else does.
    expect(dockerfile.match(/^COPY --from=build .*$/gm)).toEqual(['COPY --from=build /app /app'])
  })

  it('is composed with a read-only root, without capabilities, with data that stay', () => {
    const { services, volumes } = parse(readFileSync(join(root, 'ops/compose.yaml'), 'utf8'))
    const { pegboard } = services
    expect(pegboard).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' })
    expect(pegboard.security_opt).toEqual(['no-new-privileges:true'])
    expect(pegboard.volumes).toContain('data:/data')
    expect(volumes).toHaveProperty('data')
    expect(pegboard.ports.every((port: string) => port.startsWith('127.0.0.1:'))).toBe(true)
    expect(existsSync(join(root, 'ops', pegboard.build.context, pegboard.build.dockerfile))).toBe(true)
  })

  it('is in the package, with what it is built by', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(files).toContain('ops')
    expect(dockerfile).toContain('ops/app-layer.sh')
  })
})
