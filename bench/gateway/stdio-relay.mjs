// The floor for a client's child process: parse, route by the first part of the name, relay to one server and back. No rules.
// Arguments: JSON of { name, command, args }.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const { name, command, args } = JSON.parse(process.argv[2])
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.on('exit', () => server.kill())
process.stdin.on('end', () => process.exit())

createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line)
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  const { params } = message
  if (params.name.startsWith(`${name}.`)) params.name = params.name.slice(name.length + 1)
  server.stdin.write(`${JSON.stringify(message)}\n`)
})
