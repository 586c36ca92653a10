import { GatewayError } from '../errors.js'
import { isRecord, kindOf } from '../model/json.js'
import { temperatureOf } from '../model/temperature.js'
import { mcpServerKey } from '../model/tool.js'
import { registeredSource, type StoredTool, type Temperature } from './store.js'
import { parseStoredTool, temperatures } from './stored-tool.js'

/**
 * A record as RegistryTools keeps it (002-12), in its file or as a row whose JSON columns are already parsed. Plain MCP
 * definitions pass too, since lists of tools come in both spellings; fields that neither knows stay in the definition.
 */
export const parseRegistryTool = (value: unknown, key?: string): StoredTool => {
  if (!isRecord(value)) throw invalid(key, `must be an object, not ${kindOf(value)}`)
  const name = value.name ?? key
  if (typeof name !== 'string') throw invalid(key, `needs name to be a string, found ${kindOf(name)}`)
  if (key !== undefined && name !== key) throw invalid(key, 'is filed under another name than its own')
  const { description, mcp_server, defer_loading, tags, category, use_frequency, last_used, temperature } = value
  const useCount = use_frequency ?? 0
  return parseStoredTool({
    id: name,
    namespace: '',
    // Nobody here runs it: it is kept and found, as if somebody had registered it here.
    source: registeredSource,
    definition: {
      name,
      ...present('description', description),
      ...schemas(name, value),
      ...otherFields(value),
      ...serverOf(value, mcp_server),
    },
    tags: tags ?? [],
    useCount,
    lastUsed: toMillis(name, last_used),
    temperature: temperatures.includes(temperature as Temperature) ? temperature : temperatureIn(useCount),
    ...present('category', category),
    ...present('deferLoading', defer_loading),
  })
}

const knownFields = new Set(
  (
    'name description mcp_server defer_loading tags category use_frequency last_used temperature ' +
    'input_schema inputSchema output_schema outputSchema'
  ).split(' '),
)

const otherFields = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([field]) => !knownFields.has(field)))

const serverOf = ({ _meta }: Record<string, unknown>, server: unknown): Record<string, unknown> =>
  typeof server === 'string' && server !== ''
    ? { _meta: { ...(isRecord(_meta) ? _meta : {}), [mcpServerKey]: server } }
    : {}

const present = (field: string, value: unknown): Record<string, unknown> =>
  value === undefined || value === null ? {} : { [field]: value }

const schemas = (name: string, value: Record<string, unknown>): Record<string, unknown> => {
  const output = value.outputSchema ?? value.output_schema
  if (output !== undefined && output !== null && !isRecord(output))
    throw invalid(name, `needs output_schema to be an object, found ${kindOf(output)}`)
  // RegistryTools' own register_tool cannot store schemas, so most of its tools have none.
  const input = value.inputSchema ?? value.input_schema ?? { type: 'object' }
  return { inputSchema: input, ...present('outputSchema', output) }
}

// Its dates have no zone and mean local time, which is also how Date.parse reads them.
const toMillis = (name: string, value: unknown): unknown => {
  if (value === undefined || value === null) return null
  const millis = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(millis)) throw invalid(name, 'needs last_used to be an ISO date')
  return millis
}

// Files from before RegistryTools knew temperatures: the thresholds of 002-13.
const temperatureIn = (useCount: unknown): Temperature =>
  typeof useCount === 'number' ? temperatureOf({ count: useCount, lastUsed: null }, 0) : 'cold'

const invalid = (name: string | undefined, problem: string): GatewayError =>
  new GatewayError('TOOL_INVALID', `${name === undefined ? 'A tool' : `Tool '${name.slice(0, 128)}'`} ${problem}.`)
