/**
 * The program of the reaper process, as text for `node -e`. Text, because it must be plain JavaScript that runs the same
 * from `dist`, from a bundle and from tests that load TypeScript: a file beside this one would be missing in two of the
 * three, and a function's source would carry whatever a loader put into it. It imports nothing of ours for that reason.
 *
 * Input: lines `+<group> <start>` and `-<group>` on stdin, `+<container> <tool>` and `-<container>` likewise. The end of stdin is the gateway's end, however it came.
 * Then every group still listed is killed, and on Linux whoever else carries the gateway's mark: a child that was
 * started in the instant before the gateway died and was not listed yet, or one that left its group.
 */
export const reaperProgram = String.raw`
'use strict'
const { readFileSync, readdirSync } = require('node:fs')
const [mark, variable] = process.argv.slice(1)
const groups = new Map()
const containers = new Map()
let rest = ''
let done = false

// Whoever ends the gateway by its terminal or its service manager must not end us before our work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE', 'SIGTSTP', 'SIGBREAK']) {
  try { process.on(signal, () => {}) } catch {}
}
process.title = 'pegboard-reaper'

const obey = (line) => {
  const [, order, name, tool] = /^([+-])(pegboard-[0-9a-f]{16})(?: (.+))?$/.exec(line) ?? []
  if (name) return order === '+' ? containers.set(name, tool) : containers.delete(name)
  const [, sign, id, start] = /^([+-])(\d+)(?: (\d+))?$/.exec(line) ?? []
  // Group 0 would be our own and group 1 everybody's.
  if (!(Number(id) > 1)) return
  if (sign === '+') groups.set(Number(id), start)
  else groups.delete(Number(id))
}

const startOf = (pid) => {
  try {
    const text = readFileSync('/proc/' + pid + '/stat', 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  } catch {}
}

const endGroup = (id, start) => {
  if (process.platform === 'win32') {
    require('node:child_process').spawnSync('taskkill', ['/T', '/F', '/PID', String(id)], { windowsHide: true })
    return
  }
  // A leader with another start time: the group is gone and its id belongs to strangers.
  const now = startOf(id)
  if (start && now && now !== start) return
  try { process.kill(-id, 'SIGKILL') } catch {}
}

const endContainer = (name, tool) => {
  try { require('node:child_process').spawnSync(tool, ['rm', '--force', name], { stdio: 'ignore', timeout: 15000 }) } catch {}
}

const endMarked = () => {
  const entry = variable + '=' + mark
  let ended = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      if (!readFileSync('/proc/' + name + '/environ', 'latin1').split('\0').includes(entry)) continue
      process.kill(Number(name), 'SIGKILL')
      ended += 1
    } catch {}
  }
  return ended
}

const finish = () => {
  if (done) return
  done = true
  for (const [id, start] of groups) endGroup(id, start)
  for (const [name, tool] of containers) endContainer(name, tool)
  // Again while there is someone: a process may have forked while we looked. Bounded, since one may be unkillable.
  if (process.platform === 'linux' && mark) for (let i = 0; i < 20 && endMarked() > 0; i += 1);
  process.exit(0)
}

process.stdin.setEncoding('latin1')
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop().slice(0, 8192)
  lines.forEach(obey)
})
for (const event of ['end', 'close', 'error']) process.stdin.on(event, finish)
`
