import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const entry = new URL('../../dist/exports/compat.js', import.meta.url)

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A user's program that imports the built compatible interfaces, as text, in a process of its own; `PEGBOARD` stands for the package. */
export const runProgram = (
  text: string,
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> => {
  if (!existsSync(fileURLToPath(entry)))
    throw new Error('Run `npm run build` first: these tests use the built library.')
  const program = text.replaceAll('PEGBOARD', entry.href)
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...flags, '--input-type=module', '-e', program],
      { encoding: 'utf8', timeout: 60_000, env: { ...process.env, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
