import type { Command } from 'commander'

/** What a person sees who types `pegboard` and nothing else. */
export const explain = (program: Command): void => {
  process.stdout.write(`Pegboard: one board for every tool your AI agents use.

  pegboard init                            begin here: finds your clients and their servers
  pegboard serve                           MCP on http://127.0.0.1:8000/mcp, and a console in the browser
  pegboard add files -- npx -y some-server one more source
  pegboard list                            what tools there are
  pegboard search "open a pull request"    which one fits
  pegboard call calculator expression=6*7  call one
  pegboard connect claude-code             put the board into a client
  pegboard doctor                          what is wrong, and what to do about it

As an MCP server in a client's configuration:
  {"mcpServers":{"pegboard":{"command":"npx","args":["-y","pegboard"]}}}

Put your servers into pegboard.json, in the shape you already have them:
  {"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","."]}}}

${program.name()} --help lists everything.
`)
}
