import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGatewayError } from '../errors.js'
import type { InputAnswers } from './inputs.js'
import { answersIn } from './origin.js'
import { parseListedServer, parseServerJson, parseServerPage } from './parse-server-json.js'
import { type InstallPlan, planInstall } from './plan.js'
import { chooseWay, wayProblem } from './way-problem.js'
import { inputsOf, waysOf } from './ways.js'

const bare = { name: 'io.example/weather', description: 'Weather', version: '1.2.3' }
const stdio = { type: 'stdio' }
const npm = (more: object = {}) => ({
  ...{ registryType: 'npm', identifier: '@example/weather', version: '1.2.3', transport: stdio },
  ...more,
})

const plan = (own: object, answers: InputAnswers = {}, way?: string, packageHosts?: readonly string[]): InstallPlan => {
  const listed = parseListedServer({ server: { ...bare, ...own } })
  const rules = { packageHosts }
  return planInstall({
    registry: 'https://registry.example',
    listed,
    way: chooseWay(waysOf(listed.server), way, rules),
    answers,
    rules,
    secretReference: ({ key }) => `\${file:/secrets/${key}}`,
  })
}
const runs = (one: object, answers: InputAnswers = {}, hosts?: readonly string[]): string =>
  plan({ packages: [one] }, answers, undefined, hosts).runs
const why = (one: object): string | undefined => {
  const [way] = waysOf(parseServerJson({ ...bare, packages: [one] }))
  return wayProblem(way!)?.en
}

describe('a package as a command', () => {
  it.each([
    ['npm', npm(), 'npx -y @example/weather@1.2.3'],
    [
      'npm, saying -y itself',
      npm({ runtimeHint: 'npx', runtimeArguments: [{ type: 'positional', value: '-y' }] }),
      'npx -y @example/weather@1.2.3',
    ],
    [
      'pypi',
      { ...npm(), registryType: 'pypi', identifier: 'weather-mcp', version: '0.5.0rc1' },
      'uvx weather-mcp@0.5.0rc1',
    ],
    [
      'pypi with a Python of its own',
      {
        ...npm({ registryType: 'pypi', identifier: 'weather-mcp', runtimeHint: 'uvx' }),
        runtimeArguments: [{ type: 'named', name: '--python', value: '3.12' }],
      },
      'uvx --python=3.12 weather-mcp@1.2.3',
    ],
    ['nuget', { ...npm(), registryType: 'nuget', identifier: 'Example.Weather' }, 'dnx --yes Example.Weather@1.2.3'],
    [
      'nuget with arguments',
      {
        ...npm(),
        registryType: 'nuget',
        identifier: 'Example.Weather',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
      'dnx --yes Example.Weather@1.2.3 -- mcp',
    ],
    [
      'an image with its tag',
      { ...npm(), registryType: 'oci', identifier: 'ghcr.io/example/weather:2.0', version: undefined },
      'docker run -i --rm ghcr.io/example/weather:2.0',
    ],
    [
      'an image of an older entry',
      {
        ...npm(),
        registryType: 'oci',
        identifier: 'example/weather',
        registryBaseUrl: 'https://ghcr.io',
        environmentVariables: [{ name: 'UNITS', default: 'c' }],
      },
      'docker run -i --rm -e UNITS ghcr.io/example/weather:1.2.3',
    ],
    [
      'podman',
      { ...npm(), registryType: 'oci', identifier: 'docker.io/a/b:1', runtimeHint: 'podman' },
      'podman run -i --rm docker.io/a/b:1',
    ],
  ])('of %s', (_kind, one, command) => {
    expect(runs(one)).toBe(command)
  })

  it('has its arguments in their order: long flags joined, short ones apart, switches alone, repeated ones each', () => {
    const one = npm({
      packageArguments: [
        { type: 'positional', value: 'serve' },
        { type: 'named', name: '--port', format: 'number', default: '80' },
        { type: 'named', name: '-v', value: '2' },
        { type: 'named', name: '--fast', format: 'boolean' },
        { type: 'named', name: '--quiet', format: 'boolean', default: 'false' },
        { type: 'positional', valueHint: 'folder', isRepeated: true, isRequired: true },
      ],
    })
    const answers = { 'arg.--fast': 'true', 'arg.folder': ['/a b', '/c'] }
    expect(runs(one, answers)).toBe("npx -y @example/weather@1.2.3 serve --port=80 -v 2 --fast '/a b' /c")
  })

  it('fills what its publisher left open in a mount, and nothing else', () => {
    const one = {
      ...npm({ registryType: 'oci', identifier: 'docker.io/example/files:1' }),
      runtimeArguments: [
        {
          type: 'named',
          name: '--mount',
          value: 'type=bind,src={source},dst={target}',
          isRequired: true,
          variables: { source: { isRequired: true, format: 'filepath' }, target: { default: '/project' } },
        },
      ],
    }
    const answers = { 'runtime.--mount.source': '/home/me/notes' }
    expect(runs(one, answers)).toContain('--mount=type=bind,src=/home/me/notes,dst=/project')
    expect(() => runs(one, { 'runtime.--mount.source': '/' })).toThrow(/what it may reach/)
    expect(() => runs(one, { 'runtime.--mount.source': '/var/run/docker.sock' })).toThrow(/what it may reach/)
  })

  it('comes from another host only where somebody said so', () => {
    const one = npm({ registryBaseUrl: 'https://npm.example.com' })
    expect(() => runs(one)).toThrow(/--package-host npm\.example\.com/)
    expect(runs(one, {}, ['npm.example.com'])).toBe('npx --registry https://npm.example.com -y @example/weather@1.2.3')
  })
})

describe('an address', () => {
  const remote = (more: object) => ({ remotes: [{ type: 'streamable-http', url: 'https://a.example/mcp', ...more }] })

  it('is filled, and its headers with it', () => {
    const own = remote({
      url: 'https://{tenant}.example/mcp',
      variables: { tenant: { choices: ['eu', 'us'] } },
      headers: [
        { name: 'Authorization', value: 'Bearer {key}', variables: { key: { isSecret: true, isRequired: true } } },
        { name: 'X-Region', default: 'eu-1' },
        { name: 'X-Left-Out' },
      ],
    })
    const { entry, missing } = plan(own, { 'url.tenant': 'eu', 'header.Authorization.key': 'hush' })
    expect(missing).toEqual([])
    expect(entry).toMatchObject({
      type: 'http',
      url: 'https://eu.example/mcp',
      headers: { Authorization: `Bearer \${file:/secrets/header.Authorization.key}`, 'X-Region': 'eu-1' },
    })
    expect(Object.keys(entry.headers as object)).not.toContain('X-Left-Out')
    expect(plan(own).missing.map(({ key }) => key)).toEqual(['url.tenant', 'header.Authorization.key'])
    expect(() => plan(own, { 'url.tenant': 'moon' })).toThrow(/one of eu, us/)
  })

  it('of this machine, or without encryption, is said', () => {
    expect(plan(remote({ url: 'http://169.254.169.254/mcp' })).cautions[0]!.en).toContain('an address of this machine')
    expect(plan(remote({ url: 'http://a.example/mcp' })).cautions[0]!.en).toContain('without encryption')
  })

  it.each(['ftp://a/x', 'file:///etc/passwd', 'https://user:pass@a.example/mcp', 'javascript:1', '//a'])(
    '%s is none',
    (url) => {
      expect(() => plan(remote({ url }))).toThrow(/no address/)
    },
  )

  it('sets no header of the connection or the protocol', () => {
    for (const name of ['Host', 'content-length', 'Mcp-Session-Id', 'bad name'])
      expect(() => plan(remote({ headers: [{ name, value: 'x' }] }))).toThrow(/no header/)
  })
})

describe('what is refused', () => {
  it.each<readonly [object, RegExp]>([
    ...['--yes', '-g', 'a b', 'https://x/y.tgz', '../up', './here', 'a@1', 'a;b', '@x', 'git+ssh://x', 'a\u202eb'].map(
      (identifier) => [npm({ identifier }), /not the name of a package/] as const,
    ),
    ...['latest', '^1', '~1.2', '>=1', '1.x', '1', '*', '1.2.3 || 2', 'v1 --flag'].map(
      (version) => [npm({ version }), /no single version/] as const,
    ),
    ...['sh', '/bin/bash', 'cmd.exe', 'bash -c', 'pwsh'].map((runtimeHint) => [npm({ runtimeHint }), /shell/] as const),
    ...['$(id)', '`id`', 'a && b', 'x; rm -rf ~', '| tee'].map(
      (value) => [npm({ packageArguments: [{ type: 'positional', value }] }), /line for a shell/] as const,
    ),
    ...['-c', '--call', '-p', '--package', '--node-options', '--script-shell'].map(
      (name) =>
        [npm({ runtimeHint: 'npx', runtimeArguments: [{ type: 'named', name, value: 'x' }] }), /wants 'npx'/] as const,
    ),
    ...['--privileged', '--entrypoint', '--cap-add', '--device', '--pid', '--volumes-from'].map(
      (name) =>
        [
          {
            ...npm({ registryType: 'oci', identifier: 'docker.io/a/b:1' }),
            runtimeArguments: [{ type: 'named', name, value: 'x' }],
          },
          /wants 'docker'/,
        ] as const,
    ),
    ...['LD_PRELOAD', 'PATH', 'npm_config_registry', 'UV_INDEX_URL', 'PYTHONPATH'].map(
      (name) => [npm({ environmentVariables: [{ name, value: 'x' }] }), /decides what else/] as const,
    ),
    [npm({ registryType: 'cargo' }), /not known here/],
    [npm({ transport: { type: 'streamable-http', url: 'http://127.0.0.1:1/' } }), /spoken to over/],
    [npm({ packageArguments: [{ type: 'named', name: '--a b', value: 'x' }] }), /name of a flag/],
    [npm({ registryType: 'oci', identifier: 'docker.io/a/b:latest' }), /no single version/],
    [npm({ registryType: 'oci', identifier: 'evil.example/a/b:1' }), /--package-host evil\.example/],
    [
      npm({ registryType: 'mcpb', identifier: 'http://github.com/a.mcpb', fileSha256: 'a'.repeat(64) }),
      /no https address/,
    ],
    [
      npm({ registryType: 'mcpb', identifier: 'https://evil.example/a.mcpb', fileSha256: 'a'.repeat(64) }),
      /--package-host evil\.example/,
    ],
  ])('%j', (one, reason) => {
    expect(why(one)).toMatch(reason)
  })

  it('nothing of a server that was deleted', () => {
    const listed = parseListedServer({
      server: { ...bare, packages: [npm()] },
      _meta: { 'io.modelcontextprotocol.registry/official': { status: 'deleted' } },
    })
    const [way] = waysOf(listed.server)
    const request = { registry: 'https://r.example', listed, way: way!, answers: {}, secretReference: () => '' }
    expect(() => planInstall(request)).toThrow(/was deleted/)
  })
})

describe('what was answered', () => {
  it('is found again in the entry, for the next version', () => {
    const own = {
      packages: [
        npm({
          environmentVariables: [{ name: 'KEY', isSecret: true }, { name: 'PLAIN' }],
          packageArguments: [{ type: 'named', name: '--dir', isRepeated: true }],
        }),
      ],
    }
    const answers = { 'env.KEY': 'hush', 'env.PLAIN': 'cost $5', 'arg.--dir': ['$a', 'b'] }
    const first = plan(own, answers)
    expect(first.entry).toMatchObject({ env: { PLAIN: 'cost $$5' } })
    const [way] = waysOf(parseServerJson({ ...bare, ...own }))
    const again = plan(own, answersIn(first.entry, way!))
    expect(again.entry).toEqual(first.entry)
    expect(again.secrets).toEqual([])
  })
})

describe('whatever a registry answers', () => {
  const words = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      `\${cmd:id}`,
      `\${AWS_SECRET}`,
      '{x}',
      '--flag',
      'sh',
      '-c',
      'npm',
      'oci',
      '1.0.0',
      'latest',
      '$(id)',
      '@a/b',
      'docker.io/a/b:1',
    ),
  )
  const input = fc.record(
    {
      name: words,
      value: words,
      default: words,
      isSecret: fc.boolean(),
      isRequired: fc.boolean(),
      variables: fc.dictionary(fc.constantFrom('x', 'y'), fc.record({ default: words }, { requiredKeys: [] })),
    },
    { requiredKeys: ['name'] },
  )
  const argument = fc.tuple(fc.constantFrom('positional', 'named'), input).map(([type, rest]) => ({ type, ...rest }))
  const pack = fc.record(
    {
      registryType: fc.constantFrom('npm', 'pypi', 'oci', 'nuget', 'mcpb'),
      identifier: fc.oneof(words, fc.constantFrom('@a/b', 'pkg', 'docker.io/a/b:1')),
      version: fc.oneof(words, fc.constant('1.0.0')),
      runtimeHint: fc.option(fc.constantFrom('npx', 'sh', 'docker', 'uvx', 'bash'), { nil: undefined }),
      transport: fc.constant(stdio),
      runtimeArguments: fc.array(argument, { maxLength: 2 }),
      packageArguments: fc.array(argument, { maxLength: 3 }),
      environmentVariables: fc.array(input, { maxLength: 3 }),
    },
    { requiredKeys: ['registryType', 'identifier', 'transport'] },
  )

  it('is read or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 3 }), (value, servers) => {
        for (const read of [parseServerJson, parseListedServer, parseServerPage, () => parseServerPage({ servers })])
          try {
            read(value)
          } catch (error) {
            expect(isGatewayError(error)).toBe(true)
          }
      }),
    )
  })

  it('is the same when what was read is read again', () => {
    fc.assert(
      fc.property(pack, (one) => {
        try {
          const once = parseServerJson({ ...bare, packages: [one] })
          expect(parseServerJson(JSON.parse(JSON.stringify(once)))).toEqual(once)
        } catch (error) {
          if (!isGatewayError(error)) throw error
        }
      }),
    )
  })

  it('becomes a known program with a pinned package, and holds no reference but ours, or is refused', () => {
    let taken = 0
    fc.assert(
      fc.property(pack, fc.string({ maxLength: 12 }), (one, secret) => {
        try {
          const server = parseServerJson({ ...bare, packages: [one] })
          const [way] = waysOf(server)
          const answers = Object.fromEntries(inputsOf(way!).map(({ key }) => [key, `s3cret-${secret}`]))
          const { entry, bundle } = plan({ packages: [one] }, answers)
          if (bundle) return
          taken += 1
          expect(['npx', 'uvx', 'docker', 'podman', 'dnx', 'bunx']).toContain(entry.command)
          const args = entry.args as readonly string[]
          expect(args.some((word) => /@\d|:\w/.test(word))).toBe(true)
          for (const text of texts({ ...entry, registry: undefined }))
            for (const [, from] of text.replaceAll('$$', '').matchAll(/\$\{([^}]*)/g))
              expect(from).toMatch(/^file:\/secrets\//)
        } catch (error) {
          if (!isGatewayError(error)) throw error
        }
      }),
      { numRuns: 2000 },
    )
    expect(taken).toBeGreaterThan(20)
  })

  it('lets one entry that is wrong hide no other', () => {
    const good = { server: bare }
    const page = parseServerPage({ servers: [{ server: { name: 'x' } }, good, 7, { server: { ...bare, version: 3 } }] })
    expect(page.servers).toHaveLength(1)
    expect(page.refused).toHaveLength(3)
    expect(page.refused[2]).toEqual({ name: bare.name, reason: '"version" must be text, got number.' })
  })
})

const texts = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(texts)
      : []
