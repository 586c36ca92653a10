// Counts what Node loads: `node --import loaded-files.mjs …` with LOADED_FILES naming the file to append addresses to.
import { appendFileSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export const load = (url, context, next) => {
  if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, `${url}\n`)
  return next(url, context)
}
