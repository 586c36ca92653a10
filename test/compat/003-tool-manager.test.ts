import { describe, expect, it } from 'vitest'
import { FunctionShifter } from '../../src/compat/shift.js'
import { isExecutionErrorResult, ToolManager } from '../../src/compat/tool-manager.js'

async function add(a: number, b: number) {
  return a + b
}

const manager = () => {
  const tools = new ToolManager()
  tools.register({ name: 'test', desc: 'a test', kwargs: {}, func: () => 'tested' })
  tools.toolFunc(add, { desc: 'Adds two integers.', params: { a: 'integer', b: 'integer' }, returns: 'integer' })
  return tools
}

describe('003 ToolManager', () => {
  it('003-01 003 compat 1: describes registered and decorated functions', () => {
    expect(manager().getToolInfo()).toEqual({
      add: {
        name: 'add',
        desc: 'Adds two integers.',
        kwargs: { a: ['integer', ''], b: ['integer', ''] },
        returns: 'integer',
      },
      test: { name: 'test', desc: 'a test', kwargs: {} },
    })
    expect(manager().getToolInfo().test).not.toHaveProperty('returns')
  })

  it('003 compat 1: a sync-shifted asynchronous add(1, 2) is 3', () => {
    expect(manager().getToolFunc('add', 'sync')!(1, 2)).toBe(3)
  })

  it('003-02 003-03 takes positional arguments, a string or a list of tags, and null for what is missing', () => {
    const tools = new ToolManager()
    tools.register('a', null, null, () => 1, null, 'x')
    tools.register('b', 'bee', { n: ['integer', 'a number'] }, ({ n }) => n, 'integer', ['x', 'y'])
    expect(tools.getToolInfo()).toEqual({
      a: { name: 'a', desc: '', kwargs: {} },
      b: { name: 'b', desc: 'bee', kwargs: { n: ['integer', 'a number'] }, returns: 'integer' },
    })
    expect(tools.tag_mappings).toEqual(
      new Map([
        ['x', new Set(['a', 'b'])],
        ['y', new Set(['b'])],
      ]),
    )
    expect([...tools.tool_funcs.keys()]).toEqual(['a', 'b'])
    expect([...tools.tool_info.keys()]).toEqual(['a', 'b'])
  })

  it('003-04 joins annotations with a semicolon and adds the default', () => {
    const tools = new ToolManager()
    const fetchPage = (url: string, retries = 3, mode = 'a,b') => [url, retries, mode]
    tools.toolFunc(fetchPage, {
      params: { url: ['string', 'the address', 'with scheme'], retries: { type: 'integer', description: 'how often' } },
    })
    expect(tools.getToolInfo().fetchPage).toEqual({
      name: 'fetchPage',
      desc: 'fetchPage',
      kwargs: {
        url: ['string', 'the address;with scheme'],
        retries: ['integer', 'how often;Default: 3'],
        mode: ['any', 'Default: a,b'],
      },
    })
    expect(tools.callTool('fetchPage', { url: 'u', unknown: 1 })).toEqual(['u', 3, 'a,b'])
  })

  it('003-04 takes functions of one object by their declared parameters', () => {
    const tools = new ToolManager()
    tools.toolFunc(
      function area({ width, height }: { width: number; height: number }) {
        return width * height
      },
      { params: { width: 'number', height: 'number' } },
    )
    expect(tools.getToolInfo().area!.kwargs).toEqual({ width: ['number', ''], height: ['number', ''] })
    expect(tools.callTool('area', { width: 2, height: 3 })).toBe(6)
  })

  it('003-05 gives all without tags and each once with several', () => {
    const tools = manager()
    tools.tag(['add', 'test'], 'maths')
    tools.tag('add', ['numbers'])
    expect(tools.getToolList(['maths', 'numbers']).map((info) => info.name)).toEqual(['add', 'test'])
    expect(Object.keys(tools.getToolInfo('numbers'))).toEqual(['add'])
    expect(tools.getToolList('nothing')).toEqual([])
    expect(tools.getToolList()).toHaveLength(2)
    expect(() => tools.tag('absent', 'x')).toThrow("Cannot find tool named 'absent'")
  })

  it('overwrites on a second registration and keeps the old tags, as the original does', () => {
    const tools = new ToolManager()
    tools.register({ name: 'a', func: () => 1, tags: 'old' })
    tools.register({ name: 'a', func: () => 2, tags: 'new' })
    expect(tools.callTool('a')).toBe(2)
    expect(tools.getToolList('old')).toHaveLength(1)
  })

  it('003-06 gives the original, a synchronous, an asynchronous form, or null', async () => {
    const tools = manager()
    expect(tools.getToolFunc('add')).toBe(add)
    const later = tools.getToolFunc('test', 'async')!()
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe('tested')
    expect(tools.getToolFunc('absent', 'sync')).toBeNull()
  })

  it('003-07 003 compat 4: answers with strings, never throws', async () => {
    const tools = new ToolManager()
    tools.register({
      name: 'bad',
      func: () => {
        throw new Error('boom')
      },
    })
    tools.register({ name: 'later', func: async () => Promise.reject(new Error('boom')) })
    const missing = "Can not find tool named 'absent'"
    expect([tools.callTool('absent'), await tools.asyncCallTool('absent')]).toEqual([missing, missing])
    expect([tools.callTool('bad'), await tools.asyncCallTool('bad'), await tools.asyncCallTool('later')]).toEqual(
      Array(3).fill('Error: boom'),
    )
    expect([missing, 'Error: boom', 'fine', 7].map(isExecutionErrorResult)).toEqual([true, true, false, false])
  })

  it('calls synchronous tools on the stack and asynchronous ones through a promise', async () => {
    const tools = manager()
    expect(tools.callTool('test')).toBe('tested')
    expect(await tools.asyncCallTool('add', { a: 1, b: 2 })).toBe(3)
    expect(tools.callTool('add', { a: 1, b: 2 })).toBe(3)
  })

  it('says why an asynchronous function that needs its surroundings has no synchronous form', () => {
    const tools = new ToolManager()
    const surroundings = Math.random()
    tools.register({ name: 'bound', func: async () => surroundings })
    expect(tools.callTool('bound')).toMatch(/^Error: .*no synchronous form/)
  })

  it('D11 003-04 writes a default as its value, whatever quotes it stands in', () => {
    const tools = new ToolManager()
    const { tool_func: decorate } = tools
    decorate(function greet(word = 'Hello', mark = "it's", line = `a\nb`, count = 3, on = true, made = [1, 'x']) {
      return [word, mark, line, count, on, made]
    })
    expect(tools.getToolInfo().greet!.kwargs).toEqual({
      word: ['any', 'Default: Hello'],
      mark: ['any', "Default: it's"],
      line: ['any', 'Default: a\nb'],
      count: ['any', 'Default: 3'],
      on: ['any', 'Default: true'],
      made: ['any', expect.stringMatching(/^Default: \[1, ['"]x['"]\]$/)],
    })
    const { call_tool, get_tool_list, get_tool_func } = tools
    expect(call_tool('greet', { word: 'Hi' })).toEqual(['Hi', "it's", 'a\nb', 3, true, [1, 'x']])
    expect(get_tool_list()).toHaveLength(1)
    expect(get_tool_func('greet')).toBeTypeOf('function')
  })

  it('speaks the names of document 003', async () => {
    const tools = manager()
    expect(tools.call_tool('test')).toBe('tested')
    expect(await tools.async_call_tool('test')).toBe('tested')
    expect(tools.get_tool_info('x')).toEqual({})
    expect(tools.get_tool_list()).toHaveLength(2)
    expect(tools.get_tool_func('test')).toBeTypeOf('function')
    tools.tool_func(function named() {})
    expect(tools.get_tool_info()).toHaveProperty('named')
  })
})

describe('003 FunctionShifter', () => {
  it('003 compat 5: makes an asynchronous function synchronous inside and outside a running loop', async () => {
    const slow = async (ms: number) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      return `waited ${ms}`
    }
    expect(FunctionShifter.syncify(slow)(5)).toBe('waited 5')
    await Promise.resolve()
    expect(FunctionShifter.syncify(slow)(5)).toBe('waited 5')
  })

  it('carries an asynchronous function’s failure over', () => {
    const failing = async () => {
      throw new RangeError('too far')
    }
    expect(() => FunctionShifter.syncify(failing)()).toThrow('too far')
  })

  it('gives up on one that never settles', () => {
    const never = async () => new Promise(() => setInterval(() => {}, 1000))
    expect(() => FunctionShifter.syncify(never, { timeoutMs: 20 })()).toThrow(/did not settle within 20 ms/)
  })

  it('turns a synchronous throw into a rejection', async () => {
    const bad = () => {
      throw new Error('boom')
    }
    await expect(FunctionShifter.asyncify(bad)()).rejects.toThrow('boom')
  })

  it('003 compat 5: auto_options_func drops unknown keyword arguments', () => {
    const seen = FunctionShifter.auto_options_func((options) => options, ['a', 'b'])
    expect(seen({ a: 1, c: 3 })).toEqual({ a: 1 })
  })
})
