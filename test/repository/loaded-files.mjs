// Counts what Node loads: `node --import loaded-files.mjs …` with LOADED_FILES naming the file to append addresses to.
import fs, { appendFileSync } from 'node:fs'
import { register, syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  register(import.meta.url)
  // The vectors of search are a file, and no module.
  const { readFileSync } = fs
  fs.readFileSync = (path, ...rest) => {
    if (/table\.bin$/.test(String(path)))
      appendFileSync(process.env.LOADED_FILES, `${new URL(path, pathToFileURL('/'))}\n`)
    return readFileSync(path, ...rest)
  }
  syncBuiltinESMExports()
}

export const load = (url, context, next) => {
  if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, `${url}\n`)
  return next(url, context)
}
