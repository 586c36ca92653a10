/**
 * What the thread of a synchronous call runs. It answers once: with the value, with what was thrown (also past the
 * promise, by a timer or a rejection nobody handles), or, as the last thing it does, with the fact that it ended.
 */
export const workerCode = `
const { workerData } = require('node:worker_threads')
// Compilers may wrap names in __name(…); the copy over there needs it to exist.
const __name = (fn) => fn
const { source, args, port, flag } = workerData
let answered = false
const done = (message) => {
  if (answered) return
  answered = true
  try { port.postMessage(message) } catch (error) { port.postMessage({ stuck: 'its result cannot be copied between threads: ' + error.message }) }
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
class Lost extends Error {}
const lost = () => { throw new Lost('it uses \`this\`, which its copy in a worker thread does not have') }
const nothing = new Proxy(function () {}, { get: lost, set: lost, has: lost, deleteProperty: lost, ownKeys: lost, getOwnPropertyDescriptor: lost, defineProperty: lost, getPrototypeOf: lost, apply: lost, construct: lost })
const failed = (thrown) => {
  if (thrown instanceof Lost) return done({ stuck: thrown.message })
  if (thrown instanceof ReferenceError) return done({ stuck: 'its copy in a worker thread found that ' + thrown.message })
  if (!(thrown instanceof Error)) return done({ error: typeof thrown === 'string' ? thrown : String(thrown?.message ?? JSON.stringify(thrown)) })
  done({ error: thrown.message, name: thrown.name, stack: thrown.stack, code: ['string', 'number'].includes(typeof thrown.code) ? thrown.code : undefined })
}
process.on('uncaughtException', failed)
process.on('unhandledRejection', failed)
const { exit } = process
process.exit = (code = 0) => {
  done({ error: 'it ended its thread with process.exit(' + code + ')', code: 'ERR_WORKER_EXITED' })
  exit(code)
}
process.on('exit', () => done({ stuck: 'it did not settle, and nothing was left that could settle it' }))
const compile = function () {
  try { return eval('(' + source + ')') } catch (first) {
    try { return Object.values(eval('({' + source + '})'))[0] } catch { throw first }
  }
}
let copy
try { copy = compile.call(nothing) } catch (error) { done({ stuck: 'its source text cannot stand alone (' + error.message + ')' }) }
if (copy) Promise.resolve().then(() => Reflect.apply(copy, nothing, args)).then((value) => done({ value }), failed)
`
