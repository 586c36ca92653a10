// node hostile-stdio.mjs DEED: one hostile server on its standard streams, which floods standard error besides.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { converse } from './hostile.mjs'

const { stdin, stdout, stderr } = process
stdout.on('error', () => process.exit())
stderr.on('error', () => {})
for (let i = 0; i < 2000; i++) stderr.write(`\u001b[31mnoise ${i}\u001b[0m\n`)

const raw = async (text) => {
  if (!stdout.write(text)) await once(stdout, 'drain')
}
const out = {
  raw,
  say: (message) => raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
  isOpen: () => !stdout.destroyed,
}
const answer = converse(process.argv[2], out)
createInterface({ input: stdin })
  .on('line', (line) => void answer(JSON.parse(line)))
  .on('close', () => process.exit())
