// What plugins cost each call: none, one that looks, and one that changes arguments and result, beside the bare gateway.
import { createGateway, defineTool, localCaller, usingPlugins } from '../../dist/index.js'
import { median, table } from '../measure.mjs'

const looks = { beforeCall: () => undefined }
const changes = {
  beforeCall: ({ arguments: args }) => ({ arguments: { ...args, owner: 'acme' } }),
  afterCall: (_, ending) => (ending.ok ? { result: ending.result } : undefined),
}
const cases = {
  'no plugins': undefined,
  'taken away again': [],
  'one that looks at the call': [looks],
  'one that changes arguments and result': [changes],
}
const callsEach = 20_000

const opened = (plugins) => {
  const input = { type: 'object', properties: { owner: { type: 'string' }, title: { type: 'string' } } }
  const gateway = createGateway({ tools: [defineTool({ name: 'create', input, handler: () => 'done' })] })
  if (plugins) gateway.plug(usingPlugins(plugins.length > 0 ? plugins : [looks]))
  if (plugins?.length === 0) gateway.plug(undefined)
  return gateway
}

/** Microseconds of the processor for one call. */
const cost = (gateway) => {
  const args = { title: 'The list is wrong' }
  const before = process.cpuUsage()
  for (let at = 0; at < callsEach; at++)
    if (!gateway.callSync({ tool: 'create', args, caller: localCaller }).ok) throw new Error('it failed')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsEach
}

export const bench = async ({ quick = false } = {}) => {
  const boards = Object.entries(cases).map(([name, plugins]) => ({ name, gateway: opened(plugins), samples: [] }))
  // In turns, so that what else the machine does falls on all alike.
  for (let round = 0; round < (quick ? 7 : 25); round++)
    for (const { gateway, samples } of boards) samples.push(cost(gateway))
  const [none, gone, looking, changing] = boards.map(({ samples }) => median(samples))
  for (const { gateway } of boards) await gateway.close()
  table(
    'Plugins (processor time of a call, µs)',
    ['', 'whole call', 'more than without'],
    boards.map(({ name, samples }) => [name, median(samples).toFixed(2), (median(samples) - none).toFixed(2)]),
  )
  return [
    { claim: 'a call where plugins were taken away, more than without', value: gone - none, limit: 0.3, unit: 'µs' },
    { claim: 'a plugin that looks at the call', value: looking - none, limit: 4, unit: 'µs' },
    { claim: 'a plugin that changes arguments and result', value: changing - none, limit: 25, unit: 'µs' },
  ]
}
