/**
 * The program inside a box with a list of places, as text for a file: it listens on the box's own loopback, carries bytes
 * to the socket of our proxy, and runs the child. Text for the same reasons as the reaper's; it knows no rule, since whoever
 * is inside could be it: what may be reached is decided at the other end of the socket.
 */
export const relayProgram = String.raw`
'use strict'
const { createServer, connect } = require('node:net')
const { spawn } = require('node:child_process')
const [socket, port, command, ...args] = process.argv.slice(2)
let open = 0
const server = createServer({ allowHalfOpen: true }, (near) => {
  if (open >= 256) return near.destroy()
  open += 1
  const far = connect({ path: socket, allowHalfOpen: true })
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
  near.on('close', () => { open -= 1; far.destroy() })
  far.on('close', () => near.destroy())
  near.pipe(far)
  far.pipe(near)
})
server.on('error', (error) => {
  process.stderr.write('pegboard relay: ' + error.message + '\n')
  process.exit(1)
})
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(command, args, { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write('pegboard relay: ' + error.message + '\n')
    process.exit(127)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (require('node:os').constants.signals[signal] ?? 0)))
})
`
