import { rules } from '../../helpers/provider-rules.mjs'

/**
 * The served catalog in every provider's words, fetched as a program would and held to that provider's published rules.
 * `count` is how many tools there are; a dialect that carries fewer must say which it left out and why.
 */
export const lookAtDialects = async (origin, count) => {
  const rows = []
  for (const [format, rule] of Object.entries(rules)) rows.push(await lookAt(origin, format, rule, count))
  for (const format of deferring) rows.push(await lookAtDeferred(origin, format, count))
  const problems = await roundTrip(origin, rows[0]?.names ?? {})
  return [...rows, { format: 'names', tools: Object.keys(rows[0]?.names ?? {}).length, losses: 0, problems }]
}

/** The two that load definitions on demand. */
const deferring = ['anthropic', 'openai-responses']

const lookAtDeferred = async (origin, format, count) => {
  const { tools: listed } = await ask(origin, `/api/v1/tools?format=${format}&limit=10000&defer=true`)
  const tools = listed.flatMap((tool) => (tool.type === 'namespace' ? tool.tools : [tool])).filter(isMarked)
  const problems = tools.flatMap((tool) => rules[format](tool).map((problem) => `${tool.name}: ${problem}`))
  for (const { name } of listed.filter(({ type }) => type === 'namespace'))
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) problems.push(`namespace ${name}`)
  if (tools.length !== count) problems.push(`${tools.length} deferred, wanted ${count}`)
  if (isMarked(listed[0])) problems.push('nothing to search with comes first')
  return { format: `${format}, defer`, tools: tools.length, losses: 0, problems }
}

const isMarked = (tool) => tool.defer_loading === true

const lookAt = async (origin, format, rule, count) => {
  const { tools, names, losses, total, nextCursor } = await ask(origin, `/api/v1/tools?format=${format}&limit=10000`)
  const nameOf = (tool) => tool.name ?? tool.function?.name
  const problems = tools.flatMap((tool) => rule(tool).map((problem) => `${nameOf(tool)}: ${problem}`))
  if (total !== count || nextCursor !== undefined) problems.push(`${total} tools on one page, wanted ${count}`)
  const told = losses.filter((loss) => loss.losses.some(({ reason }) => reason.startsWith('left out:')))
  if (tools.length + told.length !== count) problems.push(`${count - tools.length - told.length} left out silently`)
  for (const tool of tools)
    if (names[nameOf(tool)] === undefined) problems.push(`${nameOf(tool)} leads back to nothing`)
  if (new Set(tools.map(nameOf)).size !== tools.length) problems.push('two tools of one name')
  if (new Set(Object.values(names)).size !== tools.length) problems.push('two names of one tool')
  return { format, tools: tools.length, leftOut: told.length, losses: losses.length, names, problems }
}

/** Each name, asked for alone, is the tool whose id it stands for. */
const roundTrip = async (origin, names) => {
  const problems = []
  for (const [name, id] of Object.entries(names)) {
    const { id: found } = await ask(origin, `/api/v1/tools/${encodeURIComponent(name)}`)
    if (found !== id) problems.push(`${name} is ${found}, wanted ${id}`)
  }
  return problems
}

const ask = async (origin, path) => {
  const response = await fetch(`${origin}${path}`)
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  return response.json()
}
