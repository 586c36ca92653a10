#!/usr/bin/env node
import { program } from './program.js'
import { reportFailure } from './terminal/exit.js'
import { guardTerminal } from './terminal/guard.js'
import { tolerateLeavingReaders } from './terminal/terminal.js'

// For every command alike, wherever it stands; programs that we start hear of it too.
const colourless = process.argv.indexOf('--no-color')
if (colourless > 1 && !process.argv.slice(0, colourless).includes('--')) {
  process.argv.splice(colourless, 1)
  process.env.NO_COLOR = '1'
}

tolerateLeavingReaders()
guardTerminal()
const wantsJson = process.argv.includes('--json')
program.parseAsync().catch((error: unknown) => {
  process.exitCode = reportFailure(error, wantsJson)
})
