// The published rules of each provider as checks of our own. Each gives the places that break one; empty is legal.
// Plain JavaScript, since `scripts/interop.mjs` asks the same of real servers' tools and runs without a compiler.

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** Every schema in a schema, with its place. */
const walk = (schema, visit, path = '', depth = 0) => {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > 200) return
  visit(schema, path)
  for (const key of ['properties', '$defs', 'patternProperties', 'dependentSchemas'])
    for (const [name, child] of Object.entries(schema[key] ?? {}))
      walk(child, visit, `${path}/${key}/${name}`, depth + 1)
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    if (Array.isArray(schema[key]))
      schema[key].forEach((child, index) => void walk(child, visit, `${path}/${key}/${index}`, depth + 1))
  for (const key of ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'])
    walk(schema[key], visit, `${path}/${key}`, depth + 1)
}

const typesAreKnown = (node, path, problems) => {
  for (const type of [node.type].flat())
    if (type !== undefined && !types.includes(type)) problems.push(`${path}: type ${type}`)
}

const plainRoot = (schema) =>
  schema?.type === 'object' &&
  ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref'].every((key) => schema[key] === undefined)
    ? []
    : ['the root is not a plain object']

const nameIs = (name, pattern) =>
  typeof name === 'string' && pattern.test(name) ? [] : [`name ${JSON.stringify(name)}`]

const openAi = ({ name, parameters, strict }) => {
  const problems = [...nameIs(name, /^[A-Za-z0-9_-]{1,64}$/), ...plainRoot(parameters)]
  walk(parameters, (node, path) => typesAreKnown(node, path, problems))
  return strict === true ? [...problems, ...strictSchema(parameters)] : problems
}

const strictKept = new Set(
  'type title description enum const properties required items anyOf $ref $defs pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties'.split(
    ' ',
  ),
)

const strictSchema = (schema) => {
  const problems = []
  let properties = 0
  let enumValues = 0
  walk(schema, (node, path) => {
    for (const key of Object.keys(node)) if (!strictKept.has(key)) problems.push(`${path}: ${key}`)
    enumValues += node.enum?.length ?? 0
    if (![node.type].flat().includes('object')) return
    const names = Object.keys(node.properties ?? {})
    properties += names.length
    if (node.additionalProperties !== false) problems.push(`${path}: open`)
    if (names.some((name) => !node.required?.includes(name))) problems.push(`${path}: optional`)
  })
  if (properties > 5000) problems.push('more than 5,000 properties')
  if (enumValues > 1000) problems.push('more than 1,000 enum values')
  return problems
}

const anthropic = ({ name, input_schema }) => {
  const problems = [...nameIs(name, /^[a-zA-Z0-9_-]{1,64}$/), ...plainRoot(input_schema)]
  walk(input_schema, (node, path) => {
    typesAreKnown(node, path, problems)
    if (node.$ref !== undefined) problems.push(`${path}: $ref`)
  })
  return problems
}

const geminiKept = new Set(
  'type title description enum format minimum maximum items minItems maxItems properties required propertyOrdering anyOf nullable pattern minLength maxLength minProperties maxProperties default example'.split(
    ' ',
  ),
)

const gemini = ({ name, parameters }) => {
  const problems = nameIs(name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
  if (parameters === undefined) return problems
  if (parameters.type !== 'object' || Object.keys(parameters.properties ?? {}).length === 0)
    problems.push('empty object')
  walk(parameters, (node, path) => {
    typesAreKnown(node, path, problems)
    for (const key of Object.keys(node)) if (!geminiKept.has(key)) problems.push(`${path}: ${key}`)
    if (Array.isArray(node.type) || node.type === 'null') problems.push(`${path}: type list`)
    if (node.enum?.some((value) => typeof value !== 'string' || value === '')) problems.push(`${path}: enum`)
    if (node.type === 'array' && node.items === undefined) problems.push(`${path}: no items`)
    if (node.required?.some((each) => !Object.hasOwn(node.properties ?? {}, each))) problems.push(`${path}: required`)
    if (node.anyOf !== undefined && node.default !== undefined) problems.push(`${path}: default beside anyOf`)
  })
  return problems
}

/** By format, over one converted tool. */
export const rules = {
  openai: (tool) => (tool.type === 'function' ? openAi(tool.function) : ['type']),
  'openai-strict': (tool) => (tool.type === 'function' ? openAi(tool.function) : ['type']),
  'openai-responses': (tool) => (tool.type === 'function' ? openAi(tool) : ['type']),
  anthropic,
  gemini,
  mcp: ({ name, inputSchema }) => [
    ...nameIs(name, /^[A-Za-z0-9_.-]{1,128}$/),
    ...(typeof inputSchema === 'object' && inputSchema !== null ? [] : ['inputSchema']),
  ],
  kwargs: ({ kwargs }) =>
    Object.entries(kwargs).flatMap(([name, pair]) =>
      Array.isArray(pair) && pair.length === 2 && typeof pair[1] === 'string' ? [] : [name],
    ),
}
