/**
 * The first code that runs in a new engine, before any script: it takes what it needs of the language for itself, puts in
 * place what scripts see, takes away clocks and what nobody needs, and hands the host four functions. No name of ours stays within
 * a script's reach but `tools`, `call`, `input`, `console` and `ToolError`. It goes by these rules, each of which an attack has taught:
 *
 * - every function of the language that is used later was taken before the script ran;
 * - nothing that the host reads is an object: texts alone, each written as JSON of one string, so that neither a `toJSON` nor a NUL
 *   changes what arrives;
 * - what was thrown is read here, on the script's time;
 * - stacks are made by the engine alone: its hook for them would hand out our functions.
 *
 * What is told is named by its number in `guestWords`: whatever crosses costs, and a text most.
 */
export const bootstrap = `
((send) => {
  'use strict'
  const { parse, stringify } = JSON
  const { apply, construct, ownKeys, defineProperty } = Reflect
  const { freeze, create } = Object
  const P = Promise, S = String, E = Error, RealDate = Date, Mirror = Proxy, imul = Math.imul
  const cut = S.prototype.slice, dateText = RealDate.prototype.toString
  const SyntaxE = SyntaxError
  const isA = Function.prototype[Symbol.hasInstance]
  const quoted = (text, most) => stringify(apply(cut, text, [0, most]))

  const kept = create(null)
  for (const name of ['Object', 'Function', 'Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError',
    'URIError', 'InternalError', 'AggregateError', 'Iterator', 'Array', 'parseInt', 'parseFloat', 'isNaN', 'isFinite', 'decodeURI',
    'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'Infinity', 'NaN', 'undefined', 'Number',
    'Boolean', 'String', 'Math', 'Reflect', 'Symbol', 'eval', 'globalThis', 'Date', 'RegExp', 'JSON', 'Proxy', 'Map', 'Set',
    'WeakMap', 'WeakSet', 'ArrayBuffer', 'Uint8ClampedArray', 'Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array',
    'Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array', 'DataView', 'Promise',
    'BigInt']) kept[name] = true
  for (const key of ownKeys(globalThis)) if (typeof key === 'symbol' || !kept[key]) delete globalThis[key]
  defineProperty(E, 'prepareStackTrace', { value: undefined, writable: false, enumerable: false, configurable: false })
  defineProperty(E, 'stackTraceLimit', { value: 10, writable: false, enumerable: false, configurable: false })

  class ToolError extends E {
    #ours = true
    constructor(code, message, tool, details) {
      super(message)
      this.code = code
      this.tool = tool
      if (details !== undefined) this.details = details
    }
    static codeOf(error) {
      const code = #ours in error ? error.code : ''
      return typeof code === 'string' ? code : ''
    }
  }
  const codeOf = ToolError.codeOf
  delete ToolError.codeOf
  defineProperty(ToolError.prototype, 'name', { value: 'ToolError' })
  freeze(ToolError.prototype)
  freeze(ToolError)

  const waiting = create(null)
  const refused = { __proto__: null,
    '-1': ['CALL_CANCELLED', 'The script has ended; nothing more is called.'],
    '-2': ['SCRIPT_LIMIT', 'The script has made as many calls as one may.'],
    '-3': ['ARGUMENTS_INVALID', 'The arguments are larger than those of one call may be.'],
    '-4': ['TOOL_NOT_FOUND', 'No tool has such a name: it is empty, too long or holds control characters.'] }
  freeze(refused)
  const call = (tool, args) => new P((resolve, reject) => {
    let name = '', text
    try {
      name = S(tool)
      text = stringify(args === undefined ? {} : args)
    } catch {}
    if (text === undefined) {
      reject(new ToolError('ARGUMENTS_INVALID', 'The arguments are no plain data (a cycle, a function, a BigInt, or a getter that throws).', name))
      return
    }
    const at = new E('').stack
    const n = send(0, quoted(name, 1000), text)
    if (n > 0) { waiting[n] = { __proto__: null, resolve, reject, name, at }; return }
    const why = refused[n]
    reject(new ToolError(why[0], why[1], name))
  })

  // A target of its own for each: they hold nothing, and nothing can be put into them.
  const branch = (path) => {
    const target = () => {}
    delete target.name
    delete target.length
    return new Mirror(target, {
      __proto__: null,
      get: (_, key) => typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key === 'constructor' || key === 'prototype' ||
        key === '__proto__' ? undefined : branch(path === '' ? key : path + '.' + key),
      apply: (_, __, list) => call(path, list[0]),
      has: () => false, set: () => false, defineProperty: () => false, deleteProperty: () => false, setPrototypeOf: () => false,
      preventExtensions: () => false, getPrototypeOf: () => null, ownKeys: () => [], getOwnPropertyDescriptor: () => undefined })
  }

  const shown = (value) => {
    if (typeof value === 'string') return value
    try {
      const text = typeof value === 'object' && value !== null && !apply(isA, E, [value]) ? stringify(value) : undefined
      return text === undefined ? S(value) : text
    } catch { return '(cannot be shown)' }
  }
  const log = (...values) => {
    let line = ''
    for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ' ') + shown(values[i])
    send(1, quoted(line, 70000))
  }
  const put = (name, value) => defineProperty(globalThis, name, { value, writable: false, enumerable: true, configurable: false })
  const noted = {}
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) noted[name] = (...values) => apply(log, undefined, values)
  for (const name in noted) freeze(noted[name])
  put('tools', branch(''))
  put('call', freeze((tool, args) => call(tool, args)))
  put('console', freeze(noted))
  put('ToolError', ToolError)

  const frozen = (value) => {
    const open = [value]
    for (let i = 0; i < open.length; i++) {
      const each = open[i]
      if (typeof each !== 'object' || each === null) continue
      freeze(each)
      for (const key of ownKeys(each)) open[open.length] = each[key]
    }
    return value
  }

  const begin = (input, now, seed) => {
    put('input', frozen(parse(input)))
    const StillDate = function Date(...list) {
      if (new.target === undefined) return apply(dateText, new RealDate(now), [])
      return construct(RealDate, list.length === 0 ? [now] : list, new.target)
    }
    StillDate.prototype = RealDate.prototype
    defineProperty(StillDate, 'prototype', { writable: false })
    defineProperty(RealDate.prototype, 'constructor', { value: StillDate, writable: true, enumerable: false, configurable: true })
    for (const [name, value] of [['now', () => now], ['parse', RealDate.parse], ['UTC', RealDate.UTC]])
      defineProperty(StillDate, name, { value, writable: true, enumerable: false, configurable: true })
    defineProperty(globalThis, 'Date', { value: StillDate, writable: true, enumerable: false, configurable: true })
    let state = seed | 0
    Math.random = () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
    }
  }

  const settle = (n, ok, first, second, third) => {
    const who = waiting[n]
    delete waiting[n]
    if (ok) {
      let value
      try { value = parse(first) } catch (error) { who.reject(error); return }
      who.resolve(value)
      return
    }
    const message = parse(second)
    const error = new ToolError(parse(first), message, who.name, third === '' ? undefined : parse(third))
    defineProperty(error, 'stack', { value: who.at, writable: true, enumerable: false, configurable: true })
    who.reject(error)
  }

  const report = (error) => {
    let code = '', name = '', message = '', stack = '', isSyntax = false
    try {
      if ((typeof error === 'object' && error !== null) || typeof error === 'function') {
        code = codeOf(error)
        isSyntax = apply(isA, SyntaxE, [error])
        name = error.name
        message = error.message
        stack = error.stack
        name = typeof name === 'string' ? name : ''
        message = typeof message === 'string' ? message : shown(error)
        stack = typeof stack === 'string' ? stack : ''
      } else message = shown(error)
    } catch { name = ''; message = 'something that cannot be read' }
    if (name !== '' && code === '') message = name + ': ' + message
    if (isSyntax) send(3)
    send(4, quoted(code, 100), quoted(message, 2000), quoted(stack, 4000))
  }

  const watch = async (promise) => {
    let json
    try {
      const value = await promise
      json = value === undefined ? 'null' : stringify(value)
      if (json === undefined) throw new E('The script returned a function or a symbol; return plain data.')
    } catch (error) {
      report(error)
      return
    }
    send(2, json)
  }

  return { __proto__: null, begin, settle, watch, report }
})
`
