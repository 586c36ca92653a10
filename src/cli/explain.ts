import type { Command } from 'commander'

/** What a person sees who types `pegboard` and nothing else. */
export const explain = (program: Command): void => {
  process.stdout.write(`Pegboard: one board for every tool your AI agents use.

  pegboard serve                          serve MCP on http://127.0.0.1:8000/mcp
  pegboard list                           what tools there are
  pegboard call calculator expression=6*7 call one
  pegboard check                          is pegboard.json valid?

As an MCP server in a client's configuration:
  {"mcpServers":{"pegboard":{"command":"npx","args":["-y","pegboard"]}}}

Put your servers into pegboard.json, in the shape you already have them:
  {"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","."]}}}

${program.name()} --help lists everything.
`)
}
