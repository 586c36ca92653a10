#!/usr/bin/env node
// Stands for docker or podman where no engine runs: writes down what it was asked, and runs a container's command as a
// child of its own that outlives it, as a container does.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [verb, ...args] = process.argv.slice(2)
const place = process.env.DOCKER_CONFIG
appendFileSync(
  join(place, 'asked'),
  `${JSON.stringify({ argv: [verb, ...args], word: process.env.SECRET_WORD ?? null })}\n`,
)
const withValue =
  /^--(?:name|label|tmpfs|cap-drop|security-opt|network|user|userns|memory|memory-swap|cpus|pids-limit|ulimit|mount|workdir|env)$/

if (verb === 'version' || verb === 'info') console.log('27.0')
else if (verb === 'ps') {
  if (existsSync(join(place, 'left'))) process.stdout.write(readFileSync(join(place, 'left')))
} else if (verb === 'rm') {
  for (const name of args.slice(1)) {
    const file = join(place, name)
    if (!existsSync(file)) continue
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
    } catch {}
    rmSync(file)
  }
} else if (verb === 'run') {
  let at = 0
  while (args[at].startsWith('--')) at += withValue.test(args[at]) ? 2 : 1
  const env = Object.fromEntries(
    args.flatMap((arg, index) => {
      if (args[index - 1] !== '--env') return []
      const [name, ...rest] = arg.split('=')
      return [[name, rest.length > 0 ? rest.join('=') : process.env[name]]]
    }),
  )
  // Without our mark in its environment and outside our group: only its name leads to it.
  const child = spawn(args[at + 1], args.slice(at + 2), {
    detached: true,
    stdio: 'inherit',
    env: { ...env, PATH: process.env.PATH },
  })
  writeFileSync(join(place, args[args.indexOf('--name') + 1]), String(child.pid))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}
