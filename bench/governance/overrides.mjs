// What an override costs each call: one that only shows a tool otherwise, and one that sets an argument, beside the bare tool.
import { createGateway, defineTool, localCaller, overridingBy } from '../../dist/index.js'
import { median, table } from '../measure.mjs'

const shown = { name: 'file_bug', title: 'File a bug', description: 'Files a bug in our tracker.', tags: ['tracker'] }
const cases = {
  'no override': undefined,
  'another name, title and description': { create: shown },
  'the same, and an argument that is set': { create: { ...shown, arguments: { owner: { set: 'acme' } } } },
}
const callsEach = 20_000

const opened = (board) => {
  const input = {
    type: 'object',
    properties: { owner: { type: 'string' }, title: { type: 'string' }, body: { type: 'string' } },
    required: ['title'],
  }
  const tools = [defineTool({ name: 'create', input, handler: () => 'done' })]
  return createGateway({ tools, ...(board ? { overrides: overridingBy({ tools: board }) } : {}) })
}

/** Microseconds of the processor for one call. */
const cost = (gateway, tool) => {
  const args = { title: 'The list is wrong', body: 'It is drawn over the toolbar.' }
  const before = process.cpuUsage()
  for (let at = 0; at < callsEach; at++)
    if (!gateway.callSync({ tool, args, caller: localCaller }).ok) throw new Error(`${tool} failed`)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsEach
}

export const bench = async ({ quick = false } = {}) => {
  const boards = Object.entries(cases).map(([name, board]) => ({
    name,
    gateway: opened(board),
    tool: board ? 'file_bug' : 'create',
    samples: [],
  }))
  // In turns, so that what else the machine does falls on all alike.
  for (let round = 0; round < (quick ? 7 : 25); round++)
    for (const { gateway, tool, samples } of boards) samples.push(cost(gateway, tool))
  const [none, renamed, preset] = boards.map(({ samples }) => median(samples))
  for (const { gateway } of boards) await gateway.close()
  table(
    'Overrides (processor time of a call, µs)',
    ['', 'whole call', 'more than without'],
    boards.map(({ name, samples }) => [name, median(samples).toFixed(2), (median(samples) - none).toFixed(2)]),
  )
  return [
    {
      claim: 'a call of a tool that is only shown otherwise, more than without',
      value: renamed - none,
      limit: 0.3,
      unit: 'µs',
    },
    { claim: 'an argument that is set, more than that', value: preset - renamed, limit: 2, unit: 'µs' },
  ]
}
