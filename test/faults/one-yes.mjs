// A program with a gateway of its own on a store that others use as well. Arguments: the compiled tree, the storage, its
// folder, the file in which its tool writes down what was done. A line with a number calls the tool with it eight times at once,
// and what came of each is a line of JSON.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , dist, backend, path, ledger] = process.argv
const load = (file) => import(new URL(file, dist).href)
const { createGateway } = await load('gateway.js')
const { defineTool } = await load('sources/functions/define-tool.js')
const { compileRules } = await load('policy/rules.js')
const { LateApprovals } = await load('policy/late-approvals.js')
const { openStorage } = await load('storage/open.js')
const { systemClock } = await load('model/clock.js')
const { silentLogger } = await load('telemetry/logger.js')

const storage = await openStorage({ backend, path })
const approvals = new LateApprovals({
  documents: () => storage.shared('call-grants'),
  clock: systemClock,
  logger: silentLogger,
  isReachable: true,
})
const gateway = createGateway({
  approvals,
  rules: { calls: compileRules({ board: [{ id: 'money', tools: ['pay'], effect: 'ask' }] }) },
})
gateway.register(
  defineTool({
    name: 'pay',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    handler: ({ n }) => {
      appendFileSync(ledger, `${n}\n`)
      return 'paid'
    },
  }),
)
const caller = { id: 'key:agent', rights: ['discover', 'call'] }
const pay = async (n) => {
  const outcome = await gateway.call({ tool: 'pay', args: { n }, caller })
  return outcome.ok ? 'paid' : outcome.error.code
}
const say = (told) => process.stdout.write(`${JSON.stringify(told)}\n`)
say('ready')
createInterface({ input: process.stdin })
  .on('line', async (line) => say(await Promise.all(Array.from({ length: 8 }, () => pay(Number(line))))))
  .on('close', () => process.exit())
