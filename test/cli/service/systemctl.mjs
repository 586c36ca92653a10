#!/usr/bin/env node
// Stands in for systemctl: writes down what it is asked, and runs the one unit that it is told of as systemd would.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.STAND_IN
const words = process.argv.slice(2).filter((word) => word !== '--user')
const [verb] = words
appendFileSync(join(folder, 'calls'), `${process.argv.slice(2).join(' ')}\n`)
if (existsSync(join(folder, 'refuse'))) {
  process.stderr.write(readFileSync(join(folder, 'refuse')))
  process.exit(1)
}

const at = (name) => join(folder, name)
const pidOf = () => (existsSync(at('pid')) ? Number(readFileSync(at('pid'), 'utf8')) : 0)
const isAlive = () => {
  try {
    return pidOf() > 0 && process.kill(pidOf(), 0)
  } catch {
    return false
  }
}
const stop = async () => {
  if (isAlive()) process.kill(pidOf(), 'SIGTERM')
  while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 20))
  rmSync(at('pid'), { force: true })
}
const start = () => {
  const unit = readFileSync(process.env.STAND_IN_UNIT, 'utf8')
  const [command, ...args] = /^ExecStart=(.*)$/m.exec(unit)[1].split(' ')
  const PATH = /^Environment="PATH=(.*)"$/m.exec(unit)[1]
  const out = openSync(at('log'), 'a')
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', out, out],
    env: { HOME: process.env.HOME, PATH },
  })
  writeFileSync(at('pid'), String(child.pid))
  child.unref()
}

if (verb === 'enable') writeFileSync(at('enabled'), '')
if (verb === 'disable') rmSync(at('enabled'), { force: true })
if (['stop', 'disable', 'restart'].includes(verb)) await stop()
if (['start', 'restart'].includes(verb)) start()
if (verb === 'show')
  console.log(
    [
      `UnitFileState=${existsSync(at('enabled')) ? 'enabled' : 'disabled'}`,
      `ActiveState=${isAlive() ? 'active' : 'inactive'}`,
      `SubState=${isAlive() ? 'running' : 'dead'}`,
      `MainPID=${isAlive() ? pidOf() : 0}`,
      `ExecMainStartTimestamp=${isAlive() ? 'Wed 2026-11-18 04:20:01 UTC' : ''}`,
      'Result=success',
    ].join('\n'),
  )
