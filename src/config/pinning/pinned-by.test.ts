import { describe, expect, it } from 'vitest'
import type { SourceConfig } from '../schema.js'
import { newToolsOf, pinnedBy } from './pinned-by.js'

const digest = `sha256:${'a'.repeat(64)}`
const sha = 'b'.repeat(40)

const stdio = (line: string | readonly string[]): SourceConfig => {
  const [command, ...args] = typeof line === 'string' ? line.split(' ') : line
  return { type: 'stdio', command, args } as unknown as SourceConfig
}

describe('what a command runs next time (S8)', () => {
  it.each([
    ['unpinned', 'npx -y some-server'],
    ['unpinned', 'npx some-server@latest'],
    ['unpinned', 'npx some-server@^1.2.3'],
    ['unpinned', 'npx some-server@1'],
    ['unpinned', 'npx some-server@1.2'],
    ['unpinned', 'npx @scope/server'],
    ['pinned', 'npx -y some-server@1.2.3'],
    ['pinned', 'npx -y @scope/server@1.2.3-beta.1 --root /tmp'],
    ['pinned', '/usr/local/bin/npx -y some-server@v1.2.3'],
    ['pinned', 'C:\\node\\npx.cmd -y some-server@1.2.3'],
    ['pinned', 'npx -y -p some-server@1.2.3 bin'],
    ['pinned', 'npx --package=some-server@1.2.3 bin'],
    ['unpinned', 'npx -p some-server@1.2.3 -p other bin'],
    ['unpinned', 'npx --package other some-server@1.2.3'],
    ['pinned', `npx github:owner/repo#${sha}`],
    ['unpinned', 'npx github:owner/repo'],
    ['unpinned', 'npx github:owner/repo#1.2.3'],
    ['unpinned', 'npx'],
    ['local', 'npx ./server'],
    ['unpinned', 'npm exec -y some-server'],
    ['pinned', 'npm exec -- some-server@1.2.3'],
    ['unpinned', 'npm x some-server'],
    ['local', 'npm start'],
    ['local', 'npm run serve'],
    ['unpinned', 'pnpm dlx some-server'],
    ['pinned', 'pnpm --silent dlx some-server@1.2.3'],
    ['unpinned', 'yarn dlx some-server'],
    ['unpinned', 'bunx some-server'],
    ['pinned', 'bunx some-server@1.2.3'],
    ['unpinned', 'bun x some-server'],
    ['local', 'bun run server.ts'],
    ['unpinned', 'uvx some-server'],
    ['unpinned', 'uvx some-server@latest'],
    ['pinned', 'uvx some-server==1.2.3'],
    ['pinned', 'uvx some-server@1.2.3'],
    ['pinned', 'uvx --from some_server[cli]==1.2 some-server'],
    ['unpinned', 'uvx --from some-server>=1.2 some-server==1.2'],
    ['unpinned', 'uvx some-server==1.*'],
    ['unpinned', 'uvx --with extra some-server==1.2.3'],
    ['pinned', `uvx --from git+https://example.com/r@${sha} server`],
    ['unpinned', 'uvx --from git+https://example.com/r@main server'],
    ['unpinned', 'uv tool run some-server'],
    ['pinned', 'uv tool run some-server==1.2.3'],
    ['local', 'uv run server.py'],
    ['local', 'uv --directory /srv run server.py'],
    ['unpinned', 'uv run --with mcp server.py'],
    ['pinned', 'uv run --with mcp==1.9.0 server.py'],
    ['unpinned', 'uv run https://example.com/server.py'],
    ['unpinned', 'pipx run some-server'],
    ['pinned', 'pipx run some-server==1.2.3'],
    ['pinned', 'pipx run --spec some-server==1.2.3 bin'],
    ['unpinned', 'docker run -i --rm mcp/time'],
    ['unpinned', 'docker run -i --rm mcp/time:1.2.3'],
    ['pinned', `docker run -i --rm mcp/time@${digest}`],
    ['pinned', `docker run -i --rm -e KEY -v /a:/b --network none mcp/time:1@${digest} arg`],
    ['unpinned', `docker run -e mcp/time@${digest} evil/image`],
    ['unpinned', `podman run --rm -it evil/image mcp/time@${digest}`],
    ['local', 'docker exec box server'],
    ['unpinned', 'deno run -A https://example.com/mod.ts'],
    ['unpinned', 'deno run -A https://deno.land/x/a@1.2.3/mod.ts'],
    ['pinned', 'deno run -A jsr:@scope/server@1.2.3'],
    ['unpinned', 'deno run -A npm:server'],
    ['local', 'deno run -A ./mod.ts'],
    ['unpinned', 'go run example.com/server@latest'],
    ['pinned', 'go run example.com/server@v1.2.3'],
    ['local', 'go run ./cmd/server'],
    ['unpinned', 'dnx Some.Server'],
    ['pinned', 'dnx Some.Server@1.2.3 --yes'],
    ['pinned', 'dnx Some.Server --version 1.2.3'],
    ['unpinned', 'dotnet tool exec Some.Server'],
    ['local', 'dotnet run'],
    ['unpinned', 'nix run nixpkgs#server'],
    ['pinned', `nix run github:o/r/${sha}#server`],
    ['unpinned', 'cmd /c npx -y some-server'],
    ['pinned', 'cmd /c npx -y some-server@1.2.3'],
    ['unpinned', 'env KEY=1 npx -y some-server'],
    ['pinned', 'env KEY=1 npx -y some-server@1.2.3'],
    ['unpinned', 'op run --env-file=.env -- uvx some-server'],
    ['unpinned', ['sh', '-c', 'KEY=1 exec npx -y some-server']],
    ['unpinned', ['bash', '-lc', 'curl -s https://example.com/x | sh']],
    ['unpinned', ['sh', '-c', 'npm install some-server && node server.js']],
    ['unpinned', ['sh', '-c', 'git pull; ./server']],
    ['local', ['sh', '-c', 'cd /srv && exec ./server']],
    ['local', 'node server.mjs'],
    ['local', '/opt/server --port 1'],
    ['local', 'python -m server'],
    ['remote', 'npx -y mcp-remote https://example.com/mcp'],
    ['remote', 'npx -y mcp-remote@0.1.29 https://example.com/mcp'],
    ['remote', 'uvx mcp-proxy==0.8.0 https://example.com/sse'],
    ['remote', 'npx -y @smithery/cli@1.0.0 run @owner/server'],
  ])('is %s for %s', (how, line) => {
    const { how: is, reason } = pinnedBy(stdio(line))
    expect([line, is, reason.en]).toEqual([line, how, reason.en])
    expect(reason.en.length * reason.zh.length).toBeGreaterThan(0)
  })
})

describe('what is new at a source', () => {
  const of = (source: object): string => newToolsOf(source as SourceConfig)

  it('waits where somebody else decides what it is, and is noted where the operator does (S8)', () => {
    expect(of({ type: 'http', url: 'http://127.0.0.1:1/mcp' })).toBe('hold')
    expect(of({ type: 'websocket', url: 'wss://example.com' })).toBe('hold')
    expect(of({ type: 'openapi', spec: 'https://example.com/api.yaml' })).toBe('hold')
    expect(of({ type: 'openapi', spec: './api.yaml' })).toBe('note')
    expect(of({ type: 'catalog', path: './tools.json' })).toBe('note')
    expect(of({ type: 'embedded', module: './tools.mjs' })).toBe('note')
    expect(of({ type: 'scripts', folder: './scripts' })).toBe('note')
    expect(of(stdio('npx -y server'))).toBe('hold')
    expect(of(stdio('npx -y server@1.2.3'))).toBe('note')
    expect(of(stdio('node server.mjs'))).toBe('note')
    expect(of({ type: 'misconfigured' })).toBe('hold')
  })

  it('is as the file says where it says so (S8)', () => {
    expect(of({ ...stdio('node server.mjs'), newTools: 'hold' })).toBe('hold')
    expect(of({ type: 'http', url: 'https://example.com', newTools: 'note' })).toBe('note')
  })
})
