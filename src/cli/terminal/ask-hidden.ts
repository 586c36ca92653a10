import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { harmless } from './guard.js'

/** One line from the person at the terminal that the terminal does not show: a key, a password. Empty when they close it. */
export const askHidden = async (question: string): Promise<string> => {
  process.stdout.write(harmless(question))
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return (await Promise.race([lines.question(''), closed])).trim()
  } finally {
    lines.close()
    process.stdout.write('\n')
  }
}
