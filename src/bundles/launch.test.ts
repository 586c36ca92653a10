import { describe, expect, it } from 'vitest'
import { makeBundle, manifestOf } from '../../test/helpers/bundle-file.js'
import { escapeText, expandText } from '../config/variables.js'
import { openBundle } from './bundle.js'
import { type LaunchEntry, launchOf } from './launch.js'
import { assertRunnable, programsOf } from './starter.js'
import { type GivenValues, readUserValues } from './user-values.js'

const place = {
  folder: '/data/bundles/hello/1.2.0',
  platform: 'linux' as NodeJS.Platform,
  home: '/home/ada',
  literal: escapeText,
  secret: (key: string) => `\${file:/data/bundles/hello/secrets/${key}}`,
}

const planned = async (
  more: Readonly<Record<string, unknown>>,
  given: GivenValues = {},
  platform: NodeJS.Platform = 'linux',
): Promise<LaunchEntry> => {
  const { manifest } = await openBundle(makeBundle(manifestOf(more)))
  return launchOf(manifest, readUserValues(manifest, given), { ...place, platform })
}

const server = (mcp_config: object, type = 'node') => ({
  server: { type, entry_point: 'server/index.mjs', mcp_config },
})

describe('the command of a bundle', () => {
  it('has its folders filled in, and runs where it lies', async () => {
    const entry = await planned(
      server({
        command: 'node',
        args: [`\${__dirname}/server/index.mjs`, `\${HOME}`, `\${DOCUMENTS}\${/}x`],
        env: { LIB: `\${__dirname}\${pathSeparator}lib` },
      }),
    )
    expect(entry).toEqual({
      type: 'stdio',
      command: 'node',
      args: ['/data/bundles/hello/1.2.0/server/index.mjs', '/home/ada', '/home/ada/Documents/x'],
      env: { LIB: '/data/bundles/hello/1.2.0/lib' },
      cwd: '/data/bundles/hello/1.2.0',
    })
  })

  it('names no variable, file or command of ours, whatever the manifest writes', async () => {
    const wishes = [`\${PATH}`, `\${cmd:id}`, `\${file:/etc/passwd}`, `$\${x}`, `\${keychain:a/b}`, '$', `\${`]
    const entry = await planned(server({ command: 'node', args: wishes, env: { KEY: `\${GITHUB_TOKEN}` } }))
    const read = (text: string): string => expandText(text, { PATH: 'leaked', GITHUB_TOKEN: 'leaked' }).text
    expect(entry.args.map(read)).toEqual(wishes)
    expect(read(entry.env!.KEY!)).toBe(`\${GITHUB_TOKEN}`)
  })

  it('is given what was answered: lists as arguments, nothing where nothing was said, and no value is read again', async () => {
    const user_config = {
      dirs: { type: 'directory', multiple: true, required: true },
      depth: { type: 'number', default: 3, min: 1, max: 5 },
      note: { type: 'string' },
      word: { type: 'string' },
    }
    const words = {
      command: 'node',
      args: [`\${user_config.dirs}`, `--depth=\${user_config.depth}`, `\${user_config.note}`, `\${user_config.word}`],
      env: { NOTE: `\${user_config.note}`, DIRS: `\${user_config.dirs}` },
    }
    const entry = await planned({ ...server(words), user_config }, { dirs: ['/a', '/b'], word: `x \${HOME} $5` })
    expect(entry.args).toEqual(['/a', '/b', '--depth=3', `x $\${HOME} $$5`])
    expect(entry.env).toEqual({ DIRS: '/a:/b' })
  })

  it('has its secrets elsewhere, or where whoever installs it says they are', async () => {
    const user_config = {
      key: { type: 'string', sensitive: true, required: true },
      other: { type: 'string', sensitive: true },
    }
    const words = { command: 'node', env: { KEY: `Bearer \${user_config.key}`, OTHER: `\${user_config.other}` } }
    const entry = await planned({ ...server(words), user_config }, { key: 'hunter2', other: `\${keychain:a/b}` })
    expect(entry.env).toEqual({
      KEY: `Bearer \${file:/data/bundles/hello/secrets/key}`,
      OTHER: `\${keychain:a/b}`,
    })
    expect(JSON.stringify(entry)).not.toContain('hunter2')
  })

  it('is that of the platform where it has its own', async () => {
    const words = {
      command: 'server/run',
      args: ['a'],
      env: { A: '1' },
      platform_overrides: { win32: { command: 'server/run.exe' }, darwin: { args: ['b'], env: { B: '2' } } },
    }
    expect(await planned(server(words, 'binary'), {}, 'win32')).toMatchObject({
      command: '/data/bundles/hello/1.2.0/server/run.exe',
      args: ['a'],
    })
    expect(await planned(server(words, 'binary'), {}, 'darwin')).toMatchObject({ args: ['b'], env: { A: '1', B: '2' } })
  })

  it('is that of uv where a bundle of that type does not say', async () => {
    const entry = await planned({ server: { type: 'uv', entry_point: 'server/index.mjs' } })
    expect([entry.command, ...entry.args]).toEqual([
      ...['uv', 'run', '--directory', place.folder, `${place.folder}/server/index.mjs`],
    ])
  })
})

describe('answers', () => {
  const user_config = {
    depth: { type: 'number', min: 1, max: 5 },
    on: { type: 'boolean' },
    key: { type: 'string', required: true },
  }
  it.each<[string, GivenValues]>([
    ['it needs key', {}],
    ['it needs key', { key: '' }],
    ["'nope' is not asked for", { key: 'x', nope: '1' }],
    ['at most 5', { key: 'x', depth: '6' }],
    ['is a number', { key: 'x', depth: 'six' }],
    ['true or false', { key: 'x', on: 'yes' }],
    ['takes one value', { key: ['x', 'y'] }],
    ['NUL', { key: 'x\0' }],
    ['is not asked for', { key: 'x', __proto__x: '1' }],
  ])('are refused where %s', async (reason, given) => {
    await expect(planned({ user_config }, given)).rejects.toThrow(reason)
  })
})

describe('whether a bundle can run here', () => {
  const judged = async (more: Readonly<Record<string, unknown>>): Promise<string> => {
    const bundle = await openBundle(
      makeBundle(manifestOf(more), [
        { name: 'server/index.mjs', data: 'x' },
        { name: 'server/run', data: 'x' },
        { name: 'node', data: 'not the one you think' },
      ]),
    )
    assertRunnable(bundle, 'linux')
    return [...programsOf(bundle, 'linux')].join()
  }

  it('is yes for what its type runs by, and for files of it; those alone are made programs', async () => {
    expect(await judged({})).toBe('')
    expect(await judged(server({ command: `\${__dirname}/server/run` }, 'binary'))).toBe('server/index.mjs,server/run')
    expect(await judged(server({ command: './server/run' }, 'node'))).toBe('server/run')
  })

  it.each(['sh', '/bin/sh', 'bash', 'cmd', 'powershell', 'env', 'docker', '../../bin/x', `\${HOME}/x`, 'server/gone'])(
    'is no where it starts %s',
    async (command) => {
      for (const type of ['node', 'python', 'binary', 'uv'])
        await expect(judged(server({ command }, type))).rejects.toMatchObject({ code: 'SOURCE_INVALID' })
    },
  )

  it('is no where it is for other platforms, or its entry point is not in it', async () => {
    await expect(judged({ compatibility: { platforms: ['win32'] } })).rejects.toThrow("for 'win32', and this is linux")
    await expect(judged({ server: { type: 'uv', entry_point: '../x' } })).rejects.toThrow('is not in it')
  })
})
