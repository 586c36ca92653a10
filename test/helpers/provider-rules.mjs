// The published rules of each provider as checks of our own. Each gives the places that break one; empty is legal.
// Plain JavaScript, since `scripts/interop.mjs` asks the same of real servers' tools and runs without a compiler.

import Ajv from 'ajv/dist/2020.js'

// OpenAI and Anthropic check the meta-schema first and refuse the whole request over one keyword of the wrong kind.
const ajv = new Ajv.default({ strict: false, validateFormats: false, logger: false })

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

const wellFormed = (schema) => (ajv.validateSchema(schema) ? [] : [`meta-schema: ${ajv.errorsText(ajv.errors)}`])

/** What JSON Schema leaves open and providers ask for. */
const complete = (node, path, problems) => {
  if ([node.type].flat().includes('array') && !isObject(node.items)) problems.push(`${path}: array without items`)
  if (node.enum?.length === 0) problems.push(`${path}: empty enum`)
  for (const child of Object.values(node.properties ?? {}))
    if (!isObject(child)) problems.push(`${path}: a property is no object`)
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** References lead to `$defs` of the root, or to the root. */
const followed = (root, node, path, problems) => {
  if (node.$ref === undefined || node.$ref === '#') return
  const name = /^#\/\$defs\/([^/]+)$/.exec(node.$ref)?.[1]
  if (name === undefined || !isObject(root.$defs?.[name])) problems.push(`${path}: $ref ${node.$ref}`)
}

const nameIs = (name, pattern) =>
  typeof name === 'string' && pattern.test(name) ? [] : [`name ${JSON.stringify(name)}`]

const openAi = ({ name, parameters, strict }) => {
  const problems = [...nameIs(name, /^[A-Za-z0-9_-]{1,64}$/), ...plainRoot(parameters), ...wellFormed(parameters)]
  walk(parameters, (node, path) => {
    typesAreKnown(node, path, problems)
    complete(node, path, problems)
    followed(parameters, node, path, problems)
  })
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
  let characters = 0
  walk(schema, (node, path) => {
    for (const key of Object.keys(node)) if (!strictKept.has(key)) problems.push(`${path}: ${key}`)
    enumValues += node.enum?.length ?? 0
    for (const value of [node.enum, node.const]) characters += value === undefined ? 0 : JSON.stringify(value).length
    if (node.enum?.length > 250 && JSON.stringify(node.enum).length > 15_000) problems.push(`${path}: long enum`)
    if (node.$ref === undefined && node.type === undefined && node.anyOf === undefined)
      problems.push(`${path}: no type`)
    if (node.$ref !== undefined && Object.keys(node).length > 1) problems.push(`${path}: keys beside $ref`)
    if (/\(\?[=!<]/.test(node.pattern ?? '')) problems.push(`${path}: look-around`)
    if (![node.type].flat().includes('object')) return
    const names = Object.keys(node.properties ?? {})
    properties += names.length
    if (node.additionalProperties !== false) problems.push(`${path}: open`)
    characters += names.join('').length
    if (names.some((name) => !node.required?.includes(name))) problems.push(`${path}: optional`)
    if (node.required?.some((name) => !names.includes(name))) problems.push(`${path}: required but unknown`)
  })
  if (nesting(schema) > 10) problems.push('more than 10 levels')
  if (characters > 120_000) problems.push('more than 120,000 characters')
  if (properties > 5000) problems.push('more than 5,000 properties')
  if (enumValues > 1000) problems.push('more than 1,000 enum values')
  return problems
}

/** Objects within objects. */
const nesting = (node) => {
  if (!isObject(node)) return 0
  const below = [...Object.values(node.properties ?? {}), ...(node.anyOf ?? []), node.items].map(nesting)
  return Math.max(0, ...below) + (node.properties === undefined ? 0 : 1)
}

const namesAre = (node, path, pattern, problems) => {
  for (const name of Object.keys(node.properties ?? {}))
    if (!pattern.test(name)) problems.push(`${path}: parameter ${JSON.stringify(name)}`)
}

const anthropic = ({ name, input_schema }) => {
  const problems = [...nameIs(name, /^[a-zA-Z0-9_-]{1,64}$/), ...plainRoot(input_schema), ...wellFormed(input_schema)]
  walk(input_schema, (node, path) => {
    namesAre(node, path, /^[a-zA-Z0-9_.-]{1,64}$/, problems)
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

const geminiFormats = { string: ['enum', 'date-time'], number: ['float', 'double'], integer: ['int32', 'int64'] }

const gemini = ({ name, parameters }) => {
  const problems = nameIs(name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
  if (parameters === undefined) return problems
  if (parameters.type !== 'object' || Object.keys(parameters.properties ?? {}).length === 0)
    problems.push('empty object')
  problems.push(...wellFormed(parameters))
  walk(parameters, (node, path) => {
    typesAreKnown(node, path, problems)
    namesAre(node, path, /^[A-Za-z_][A-Za-z0-9_]{0,63}$/, problems)
    complete(node, path, problems)
    if (node.enum !== undefined && node.type !== 'string') problems.push(`${path}: enum of no strings`)
    if (node.format !== undefined && !geminiFormats[node.type]?.includes(node.format)) problems.push(`${path}: format`)
    if (node.anyOf !== undefined && Object.keys(node).length > 1) problems.push(`${path}: keys beside anyOf`)
    if (node.nullable !== undefined && typeof node.nullable !== 'boolean') problems.push(`${path}: nullable`)
    for (const key of Object.keys(node)) if (!geminiKept.has(key)) problems.push(`${path}: ${key}`)
    if (Array.isArray(node.type) || node.type === 'null') problems.push(`${path}: type list`)
    if (node.enum?.some((value) => typeof value !== 'string' || value === '')) problems.push(`${path}: enum`)
    if (node.required?.some((each) => !Object.hasOwn(node.properties ?? {}, each))) problems.push(`${path}: required`)
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
