#!/usr/bin/env node
import { reportFailure } from './exit.js'
import { program } from './program.js'

const wantsJson = process.argv.includes('--json')
program.parseAsync().catch((error: unknown) => {
  process.exitCode = reportFailure(error, wantsJson)
})
