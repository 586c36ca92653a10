const recursive = {
  oneOf: [
    { type: 'array', items: { $ref: '#/$defs/r' } },
    { type: 'object', properties: { a: { $ref: '#/$defs/r' } } },
    { type: 'array', prefixItems: [{ $ref: '#/$defs/r' }] },
    { type: 'integer' },
  ],
}
export const bombs = [
  {
    name: 'bomb',
    inputSchema: { type: 'object', $defs: { r: recursive }, properties: { value: { $ref: '#/$defs/r' } } },
    arguments: { value: JSON.parse('['.repeat(17) + ']'.repeat(17)) },
  },
]
