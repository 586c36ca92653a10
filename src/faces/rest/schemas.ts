import { providerFormats } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import { choice, described, list, shape, text, words } from '../../operations/shape.js'

/** Query fields and shapes that several operations share. */
/** Which replica is asked about, where there are several. */
export const replicaField = described(
  text({ maxLength: 128 }),
  'Only of this replica of a fleet; without it of all that answer',
  '只看此副本；不填则为所有有应答的副本',
)

export const profileField = described(
  text({ maxLength: 64 }),
  'The profile to look through. Default: the one of your key, else the default profile',
  '使用哪个配置档。默认：密钥所属的配置档，否则为默认配置档',
)

export const formatField = described(
  choice(providerFormats),
  'Whose words the tools are in. Default: our own',
  '工具用哪家的格式给出。默认：本网关的格式',
)

export const toolIdParam = words(
  'Canonical id (calc.add) or advertised name (calc__add), percent-encoded',
  '规范 id（calc.add）或展示名称（calc__add），需百分号编码',
)

export const lossesSchema = described(
  list(shape({}, { tool: text(), losses: list(shape({}, { path: text(), keyword: text(), reason: text() })) })),
  'What the format could not carry, tool by tool',
  '该格式无法表达的内容，逐个工具列出',
)

/** MCP's CallToolResult. */
export const resultSchema: JsonObject = {
  type: 'object',
  properties: {
    content: { type: 'array', items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] } },
    structuredContent: described(
      {},
      'The same as data, where the tool gave data',
      '工具给出数据时，同一内容的数据形式',
    ),
    isError: described({ type: 'boolean' }, 'The tool was asked and said no', '工具收到请求后表示失败'),
  },
  required: ['content'],
}
