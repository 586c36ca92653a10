// Scripts of your own as tools: what takes three calls and a loop is one call, made as whoever makes it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, defineTool } from 'pegboard'

const issues = [
  { number: 1, label: 'bug', assignee: 'ann' },
  { number: 2, label: 'idea', assignee: 'bob' },
  { number: 3, label: 'bug', assignee: 'ann' },
]
const listIssues = defineTool({
  name: 'list_issues',
  description: 'Lists issues, one on each page.',
  handler: ({ page }) => issues.slice(page - 1, page),
})

// A file begins with what a model is told of it.
const folder = mkdtempSync(join(tmpdir(), 'pegboard-example-'))
writeFileSync(
  join(folder, 'bugs_by_assignee.js'),
  `/* {
    "description": "Counts open issues with a label, by assignee",
    "input": { "type": "object", "properties": { "label": { "type": "string" } }, "required": ["label"] },
    "output": { "type": "object", "additionalProperties": { "type": "integer" } },
    "tools": ["list_issues"]
  } */
  const count = {}
  for (let page = 1; ; page++) {
    const [issue] = await tools.list_issues({ page })
    if (!issue) return count
    if (issue.label === input.label) count[issue.assignee] = (count[issue.assignee] ?? 0) + 1
  }`,
)

const gateway = createGateway({ tools: [listIssues], mcpServers: { reports: { type: 'scripts', folder } } })
await gateway.ready
assert.deepEqual(await gateway.run('reports.bugs_by_assignee', { label: 'bug' }), { ann: 2 })

// Arguments are checked before anything runs.
await assert.rejects(gateway.run('reports.bugs_by_assignee', {}), { code: 'ARGUMENTS_INVALID' })

await gateway.close()
rmSync(folder, { recursive: true })
console.log('stored-scripts: ok')
