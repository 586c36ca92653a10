// What rules over calls cost each call.
import { createGateway } from '../../dist/gateway.js'
import { localCaller } from '../../dist/model/caller.js'
import { compileRules } from '../../dist/policy/rules.js'
import { defineTool } from '../../dist/sources/functions/define-tool.js'
import { table } from '../measure.mjs'

/** Processor time, not that of the clock: others may run beside. The best of many, in microseconds. */
const cost = (work, times = 50_000) => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 15; round++) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / times)
  }
  return best
}

const args = {
  env: 'staging',
  path: '/srv/data/reports/2026/11/summary.csv',
  url: 'https://api.github.com/repos/acme/web/issues',
  amount: 42,
  to: 'ann@example.com',
  labels: ['bug', 'urgent', 'customer'],
  options: { dry_run: false, force: false, retries: 3 },
  note: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(6),
}

const when = (property, schema) => ({ properties: { [property]: schema }, required: [property] })
const unless = when

/** Ten that all concern the tool and look at its arguments, and none of which matches: every one is asked every time. */
const plain = [
  { when: when('env', { const: 'prod' }) },
  { when: when('env', { enum: ['production', 'live'] }) },
  { when: when('amount', { exclusiveMinimum: 100 }) },
  { when: when('to', { pattern: '@evil\\.example$' }) },
  { when: when('note', { minLength: 5000 }) },
  { when: when('labels', { contains: { const: 'secret' } }) },
  { when: when('options', { properties: { force: { const: true } }, required: ['force'] }) },
  { unless: unless('amount', { maximum: 1000 }) },
  { unless: unless('note', { maxBytes: 4096 }) },
  { when: when('admin', { const: true }) },
]
const withNames = [
  ...plain.slice(0, 8),
  { unless: unless('path', { pathUnder: '/srv/data' }) },
  { unless: unless('url', { hostIn: ['api.github.com', '*.example.com'] }) },
]

const toRules = (conditions, tools) =>
  compileRules({ board: conditions.map((each, index) => ({ id: `r${index}`, tools, effect: 'deny', ...each })) })

export const bench = async () => {
  const gateway = createGateway({ validation: 'off' })
  gateway.register(defineTool({ name: 'work', handler: () => 'done' }))
  const tool = gateway.find('work')
  const { policy } = gateway
  let refused = 0
  const judge = () => {
    if (policy.judge(localCaller, tool, 'tool', args)) refused += 1
  }
  const empty = cost(() => {
    if (tool.id === '') refused += 1
  })
  const call = () => {
    if (!gateway.callSync({ tool: 'work', args, caller: localCaller }).ok) refused += 1
  }
  const measured = {}
  const cases = {
    'no rules': undefined,
    'ten rules for other tools': toRules(plain, ['other.*']),
    'ten rules, none matches': toRules(plain, ['*']),
    'the same with a path and a host among them': toRules(withNames, ['*']),
  }
  for (const [name, calls] of Object.entries(cases)) {
    policy.update({ calls })
    judge()
    measured[name] = { judge: Math.max(0, cost(judge) - empty), call: cost(call, 10_000) }
  }
  await gateway.close()
  if (refused > 0) throw new Error('No rule of this bench may match.')
  table(
    'Rules over calls (processor time, µs)',
    ['', 'judging', 'whole call'],
    Object.entries(measured).map(([name, each]) => [name, each.judge.toFixed(3), each.call.toFixed(2)]),
  )
  return [
    { claim: 'a call where there are no rules', value: measured['no rules'].judge, limit: 0.1, unit: 'µs' },
    { claim: 'a call under ten rules', value: measured['ten rules, none matches'].judge, limit: 3, unit: 'µs' },
  ]
}
