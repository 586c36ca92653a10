// A process that writes a trail and ends in one of the ways in which processes end: node audit-writer.mjs <dist> <folder> <way>
import { argv, exit } from 'node:process'

const [dist, folder, way] = argv.slice(2)
const { openAuditFile } = await import(`${dist}/telemetry/audit-file.js`)
const { createGateway } = await import(`${dist}/gateway.js`)
const { defineTool } = await import(`${dist}/sources/functions/define-tool.js`)

const gateway = createGateway({ tools: [defineTool({ name: 'echo', handler: (args) => args })] })
const audit = openAuditFile({
  folder,
  maxBytes: way === 'together' ? 20_000 : undefined,
  maxFiles: 100,
  logger: { log: (_, message) => console.error(message) },
})
gateway.onCall(audit.listener)
const caller = { id: `writer-${process.pid}`, rights: ['call', 'discover'] }
const call = (args) => gateway.callSync({ tool: 'echo', args, caller })

// 1,000 lines are more than 64 KB: a part of them is on its way when the process ends.
for (let index = 0; index < 1000; index++) {
  call({ [`n${index}`]: 1 })
  if (way === 'together' && index % 20 === 0) await audit.read({ limit: 1 })
}

const ends = {
  'process.exit': () => exit(0),
  'an exception that nobody caught': () => {
    throw new Error('on purpose')
  },
  'nothing left to do': () => {},
  'its own end': () => audit.close(),
  together: () => audit.close(),
}
await ends[way]()
