import type { ToolDefinition } from '../../src/model/tool.js'

/** What `servers/office.mjs` offers: something to find in Chinese, a form with every kind of field, and hostile text. */
export const officeTools: readonly ToolDefinition[] = [
  {
    name: 'weather',
    title: '天气',
    description: '查询一个城市今天和未来几天的天气预报。Weather forecast of a city.',
    inputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city' },
        days: { type: 'integer', description: 'How many days', default: 1 },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        hourly: { type: 'boolean' },
      },
      required: ['city'],
    },
  },
  {
    name: 'create_note',
    description: 'Writes a note with a title, tags and a place.',
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        place: { type: 'object', properties: { room: { type: 'string' }, floor: { type: 'number' } } },
        extra: {},
      },
      required: ['title'],
    },
  },
  {
    name: 'trap',
    title: '<img src=x onerror="window.hacked=1">',
    description:
      '<script>window.hacked=1</script><img src=x onerror="window.hacked=1"> [click](javascript:window.hacked=1)',
    inputSchema: {
      type: 'object',
      properties: { __proto__x: { type: 'string', description: '<b onclick="window.hacked=1">bold</b>' } },
    },
  },
]

/** So many tools as a catalog file holds them. */
export const manyTools = (count: number): object => ({
  tools: Array.from({ length: count }, (_, index) => ({
    name: `tool_${String(index).padStart(5, '0')}`,
    description: `Does the thing number ${index} to records of the ${['north', 'south', 'east', 'west'][index % 4]} office.`,
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  })),
})
