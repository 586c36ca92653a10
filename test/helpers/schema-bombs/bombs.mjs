// Schemas and arguments made to keep a validator busy (S4, T27, T28, F34):
// each is a tool that a hostile server could list, with what a hostile caller could send to it.

const nest = (levels, leaf, wrap) => {
  let value = leaf
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}
const brackets = (levels, leaf = 1) => nest(levels, leaf, (inner) => [inner])
const objects = (levels, leaf = 1, key = 'a') => nest(levels, leaf, (inner) => ({ [key]: inner }))
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
const keys = (count, make = () => 1) => Object.fromEntries(times(count, (index) => [`k${index}`, make(index)]))
const def = (name) => ({ $ref: `#/$defs/${name}` })

/** A tool that takes one argument `v` of this schema. */
const taking = (schema, rest = {}) => ({ type: 'object', properties: { v: schema }, ...rest })
const defs = ($defs, root = 'r', rest = {}) => taking(def(root), { $defs, ...rest })

/** Each level refers to the next `width` times by the keyword. */
const fan = (keyword, levels, leaf, width = 2) => {
  const $defs = { [`d${levels}`]: leaf }
  for (let i = 0; i < levels; i++) {
    const next = def(`d${i + 1}`)
    $defs[`d${i}`] = keyword === 'not' ? { not: { not: next }, allOf: [next] } : { [keyword]: times(width, () => next) }
  }
  return defs($defs, 'd0')
}

const branches = (keyword) => ({
  [keyword]: [
    { type: 'array', items: def('r') },
    { type: 'object', properties: { a: def('r') } },
    { type: 'array', prefixItems: [def('r')] },
    { type: 'integer' },
  ],
})

const dialect2019 = { $schema: 'https://json-schema.org/draft/2019-09/schema' }

/** The seen one (520 bytes, 23 s), its sisters by keyword and by what is nested. */
const recursive = [
  ...['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => [
    { name: `recursive ${keyword}, brackets`, inputSchema: defs({ r: branches(keyword) }), v: brackets(17) },
    { name: `recursive ${keyword}, 50 brackets`, inputSchema: defs({ r: branches(keyword) }), v: brackets(50, 'x') },
    { name: `recursive ${keyword}, objects`, inputSchema: defs({ r: branches(keyword) }), v: objects(40, 'x') },
    {
      name: `recursive ${keyword}, mixed`,
      inputSchema: defs({ r: branches(keyword) }),
      v: nest(20, 'x', (inner) => [{ a: inner }]),
    },
    {
      name: `recursive ${keyword}, twins`,
      inputSchema: defs({ r: branches(keyword) }),
      v: nest(14, 'x', (inner) => [inner, inner]),
    },
  ]),
  {
    name: 'recursive by if, then, else',
    inputSchema: defs({ r: { if: { items: def('r') }, then: { prefixItems: [def('r')] }, else: { items: def('r') } } }),
    v: brackets(50, 'x'),
  },
  {
    name: 'recursive by not',
    inputSchema: defs({
      r: { type: ['array', 'integer'], not: { items: { not: def('r') }, prefixItems: [{ not: def('r') }] } },
    }),
    v: brackets(50),
  },
  {
    name: 'recursive by dependentSchemas',
    inputSchema: defs({ r: { properties: { a: def('r') }, dependentSchemas: { a: { properties: { a: def('r') } } } } }),
    v: objects(50),
  },
  {
    name: 'recursive by dependencies',
    inputSchema: defs(
      { r: { properties: { a: def('r') }, dependencies: { a: { properties: { a: def('r') } } } } },
      'r',
      { $schema: 'http://json-schema.org/draft-07/schema#' },
    ),
    v: objects(50),
  },
  {
    name: 'recursive by patternProperties',
    inputSchema: defs({ r: { patternProperties: { a: def('r'), '^a': def('r'), a$: def('r'), '.': def('r') } } }),
    v: objects(50),
  },
  {
    name: 'recursive by properties and patternProperties',
    inputSchema: defs({ r: { properties: { a: def('r') }, patternProperties: { '^a$': def('r') } } }),
    v: objects(55),
  },
  { name: 'recursive by contains', inputSchema: defs({ r: { contains: def('r'), items: def('r') } }), v: brackets(50) },
  {
    name: 'recursive by contains, twins',
    inputSchema: defs({ r: { contains: { items: def('r') }, maxContains: 99, items: def('r') } }),
    v: nest(15, 1, (inner) => [inner, inner]),
  },
  {
    name: 'recursive by unevaluatedItems',
    inputSchema: defs({
      r: { anyOf: [{ prefixItems: [def('r')] }, { contains: def('r') }], unevaluatedItems: def('r') },
    }),
    v: brackets(50, 'x'),
  },
  {
    name: 'recursive by unevaluatedProperties',
    inputSchema: defs({
      r: {
        allOf: [
          { properties: { a: def('r') } },
          { anyOf: [{ properties: { a: def('r') } }, { properties: { b: def('r') } }] },
        ],
        unevaluatedProperties: false,
      },
    }),
    v: objects(50),
  },
  {
    name: 'reference with the same beside it',
    inputSchema: defs({ r: { $ref: '#/$defs/s', properties: { a: def('r') } }, s: { properties: { a: def('r') } } }),
    v: objects(55),
  },
  {
    name: 'defaults down a recursive oneOf',
    inputSchema: defs({
      r: {
        oneOf: times(4, (index) => ({
          type: 'object',
          properties: { a: def('r'), [`d${index}`]: { default: index } },
        })),
      },
    }),
    v: objects(40, {}),
  },
  {
    name: 'defaults down a recursive anyOf of references',
    inputSchema: defs({
      r: { anyOf: [def('s'), def('t'), def('s')] },
      s: { properties: { a: def('r'), x: { default: 1 } }, required: ['y'] },
      t: { properties: { a: def('r'), x: { default: 2 } }, required: ['z'] },
    }),
    v: objects(40, {}),
  },
  {
    name: 'defaults that hold themselves',
    inputSchema: defs({
      r: {
        type: 'object',
        properties: { a: { allOf: [def('r'), def('r')], default: { a: {} } }, b: { ...def('r'), default: {} } },
      },
    }),
    v: {},
  },
]

const dynamic = [
  ...['anyOf', 'oneOf', 'allOf'].map((keyword) => ({
    name: `$dynamicRef in ${keyword}`,
    inputSchema: taking({
      $id: 'https://bomb.example/tree',
      $dynamicAnchor: 'node',
      [keyword]: times(4, () => ({ items: { $dynamicRef: '#node' }, properties: { a: { $dynamicRef: '#node' } } })),
      not: { const: 'x' },
    }),
    v: brackets(40, 'x'),
  })),
  {
    name: '$dynamicRef over many resources',
    inputSchema: taking(
      { $ref: 'r0' },
      {
        $defs: Object.fromEntries(
          times(30, (index) => [
            `r${index}`,
            {
              $id: `r${index}`,
              $dynamicAnchor: 'n',
              anyOf: [
                { items: { $ref: `r${(index + 1) % 30}` } },
                { items: { $dynamicRef: '#n' } },
                { items: { $ref: `r${(index + 7) % 30}` } },
              ],
              not: { const: 1 },
            },
          ]),
        ),
      },
    ),
    v: brackets(50),
  },
  {
    name: '$recursiveRef in anyOf (2019-09)',
    inputSchema: {
      ...dialect2019,
      $recursiveAnchor: true,
      type: ['object', 'array', 'integer'],
      anyOf: times(4, () => ({ properties: { v: { $recursiveRef: '#' } }, items: { $recursiveRef: '#' } })),
      not: { const: 7 },
    },
    v: brackets(50, 7),
  },
]

const fans = [
  ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => [
    { name: `${keyword} doubled 22 times`, inputSchema: fan(keyword, 22, { type: 'string' }), v: 'x' },
    { name: `${keyword} doubled 22 times, refused`, inputSchema: fan(keyword, 22, { type: 'string' }), v: 1 },
    { name: `${keyword} times nine, 60 times`, inputSchema: fan(keyword, 60, { const: 'x' }, 9), v: 'y' },
  ]),
  { name: 'not beside its target, 200 times', inputSchema: fan('not', 200, { type: 'string' }), v: 'x' },
  {
    name: 'anyOf fan over every item',
    inputSchema: taking({ type: 'array', items: def('d0') }, { $defs: fan('anyOf', 22, { type: 'string' }).$defs }),
    v: times(50_000, (index) => index),
  },
  {
    name: 'unevaluatedProperties over a fan',
    inputSchema: taking(
      { ...def('d0'), unevaluatedProperties: false },
      { $defs: fan('allOf', 22, { properties: { a: true } }).$defs },
    ),
    v: { a: 1, b: 2 },
  },
  {
    name: 'chain of 900 references on every item',
    inputSchema: taking(
      { type: 'array', items: def('c0') },
      {
        $defs: Object.fromEntries(
          times(200, (index) => [`c${index}`, index === 199 ? { type: 'integer' } : def(`c${index + 1}`)]),
        ),
      },
    ),
    v: times(190_000, () => 1),
  },
]

const big = {
  keys: () => keys(9900),
  numbers: () => times(190_000, (index) => index),
  objects: () => times(30_000, (index) => ({ a: index, b: 'x' })),
  text: () => 'é'.repeat(1_500_000),
}

const wide = [
  {
    name: 'uniqueItems at every level',
    inputSchema: defs({ r: { uniqueItems: true, items: def('r') } }),
    v: nest(
      45,
      times(4000, (index) => ({ id: index })),
      (inner) => [inner],
    ),
  },
  { name: 'uniqueItems on 30,000 objects', inputSchema: taking({ uniqueItems: true }), v: big.objects() },
  {
    name: 'uniqueItems on two large objects',
    inputSchema: taking({ uniqueItems: true }),
    v: [keys(9900), keys(9900, () => 2)],
  },
  {
    name: 'uniqueItems a thousand times',
    inputSchema: taking({ allOf: times(1000, () => ({ uniqueItems: true })) }),
    v: times(20_000, (index) => [index]),
  },
  {
    name: 'uniqueItems on alike numbers',
    inputSchema: taking({ uniqueItems: true }),
    v: times(40_000, (index) => [index * 2 ** 32]),
  },
  { name: 'enum of 10,000 empty objects', inputSchema: taking({ enum: times(10_000, () => ({})) }), v: big.keys() },
  {
    name: 'enum of objects for every item',
    inputSchema: taking({ items: { enum: times(2000, (index) => ({ a: index, b: 'y' })) } }),
    v: big.objects(),
  },
  {
    name: 'enum of objects by reference',
    inputSchema: defs({ r: { items: def('s') }, s: { enum: times(2000, (index) => ({ a: index, b: 'y' })) } }),
    v: big.objects(),
  },
  {
    name: 'const of 5,000 keys for every item',
    inputSchema: taking({ items: { not: { const: keys(5000) } } }),
    v: times(12, () => keys(5000)),
  },
  {
    name: 'const {} in 900 branches',
    inputSchema: taking({ anyOf: times(900, () => ({ const: {} })) }),
    v: big.keys(),
  },
  {
    name: 'maxProperties a thousand times',
    inputSchema: taking({ allOf: times(1000, () => ({ maxProperties: 200_000 })) }),
    v: big.keys(),
  },
  {
    name: 'minLength a thousand times',
    inputSchema: taking({ allOf: times(1000, () => ({ minLength: 1_499_999 })) }),
    v: big.text(),
  },
  {
    name: 'maxLength in 900 branches',
    inputSchema: taking({ anyOf: times(900, () => ({ maxLength: 800_000 })) }),
    v: big.text(),
  },
  {
    name: 'propertyNames a thousand times',
    inputSchema: taking({ allOf: times(900, () => ({ propertyNames: { minLength: 2 } })) }),
    v: big.keys(),
  },
  {
    name: 'additionalProperties a thousand times',
    inputSchema: taking({ allOf: times(900, () => ({ additionalProperties: { type: 'integer' } })) }),
    v: big.keys(),
  },
  {
    name: 'patternProperties: 500 patterns',
    inputSchema: taking({
      patternProperties: Object.fromEntries(times(500, (index) => [`^k.*${index}$`, { type: 'integer' }])),
    }),
    v: big.keys(),
  },
  {
    name: 'unevaluatedProperties a thousand times',
    inputSchema: taking({ allOf: times(900, () => ({ unevaluatedProperties: { type: 'integer' } })) }),
    v: big.keys(),
  },
  {
    name: 'unevaluatedItems a thousand times',
    inputSchema: taking({ allOf: times(900, () => ({ unevaluatedItems: { type: 'integer' } })) }),
    v: big.numbers(),
  },
  {
    name: 'contains a thousand times',
    inputSchema: taking({ allOf: times(900, (index) => ({ contains: { const: 189_999 - index } })) }),
    v: big.numbers(),
  },
  {
    name: 'items a thousand times',
    inputSchema: taking({ allOf: times(900, () => ({ items: { type: 'integer' } })) }),
    v: big.numbers(),
  },
  {
    name: 'items with 1,000 properties each',
    inputSchema: taking({ items: { properties: keys(1500, () => ({ type: 'string' })), required: ['a'] } }),
    v: big.objects(),
  },
  {
    name: 'items with 1,000 required names by reference',
    inputSchema: defs({
      r: { items: def('s') },
      s: {
        dependentRequired: { a: times(20_000, (index) => `n${index % 2 ? 'a' : 'b'}`) },
        properties: keys(1500, () => ({})),
      },
    }),
    v: big.objects(),
  },
  {
    name: 'a default for every item',
    inputSchema: taking({ items: { properties: { d: { default: times(10_000, (index) => index) } } } }),
    v: times(90_000, () => ({})),
  },
  {
    name: 'a default copied in 900 allOf',
    inputSchema: taking({ allOf: times(900, (index) => ({ properties: { [`d${index}`]: { default: 1 } } })) }),
    v: big.keys(),
  },
  {
    name: 'a default tried in 900 branches',
    inputSchema: taking({
      anyOf: times(900, (index) => ({ properties: { [`d${index}`]: { default: 1 } }, required: ['nowhere'] })),
    }),
    v: big.keys(),
  },
  {
    name: 'heavy defaults that are refused',
    inputSchema: taking(
      { properties: Object.fromEntries(times(500, (index) => [`p${index}`, { ...def('d0'), default: index }])) },
      { $defs: fan('anyOf', 22, { type: 'string' }).$defs },
    ),
    v: {},
  },
  {
    name: 'multipleOf of 600 digits',
    inputSchema: taking({ items: { multipleOf: 1e-300 } }),
    v: times(150_000, (index) => 1.5e300 * (index + 1)),
  },
  {
    name: 'problems by the thousand',
    inputSchema: taking({ items: { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] } }),
    v: times(190_000, () => 1),
  },
  {
    name: 'oneOf of 500 constants',
    inputSchema: taking({ items: { oneOf: times(500, (index) => ({ const: `c${index}` })) } }),
    v: times(60_000, () => 'c499'),
  },
]

const pattern = (source, text, name = source.slice(0, 30)) => ({
  name: `pattern ${name}`,
  inputSchema: taking({ type: 'string', pattern: source }),
  v: text,
})
const patterns = [
  pattern('^(a+)+$', `${'a'.repeat(40)}!`),
  pattern('^(a|aa)+$', `${'a'.repeat(60)}!`),
  pattern('^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(100_000)),
  pattern('.*.*=.*', 'x'.repeat(100_000)),
  pattern('(?=a)(a+)+$', `${'a'.repeat(60)}!`),
  pattern('^(?:(a+)+)\\1$', `${'a'.repeat(60)}!`),
  pattern('(x+x+)+y', 'x'.repeat(1_000_000)),
  pattern('^(?:a{0,200}){0,200}$', `${'a'.repeat(30_000)}!`),
  pattern('(?:a?){200}a{200}', 'a'.repeat(199).concat('b').repeat(2000)),
  pattern('[\\s\\S]*[\\s\\S]*[\\s\\S]*!', 'y'.repeat(1_000_000)),
  pattern(`^(?:${times(400, (index) => `w${index}+`).join('|')})*$`, `${'w1'.repeat(200_000)}!`, 'of 400 words'),
  pattern(`${'(?:'.repeat(500)}a${')*'.repeat(500)}b`, 'a'.repeat(5000), 'nested 500 deep'),
  pattern('^(?<n>a*)*\\k<n>b', 'a'.repeat(5000)),
  {
    name: 'patterns that time out, 100 times',
    inputSchema: taking({ items: { pattern: '(?=a)(a+)+$' } }),
    v: times(100, (index) => `${'a'.repeat(40 + index)}!`),
  },
  {
    name: 'a pattern on 60,000 texts',
    inputSchema: taking({ items: { pattern: '^(a+)+$' } }),
    v: times(60_000, (index) => `${'a'.repeat(40)}${index}`),
  },
  {
    name: 'key patterns that backtrack',
    inputSchema: taking({ patternProperties: { '^(k+)+$': {}, '(k|kk)+!': {}, '(?=k)(k+)+$': {} } }),
    v: Object.fromEntries(times(500, (index) => [`${'k'.repeat(50)}${index}`, 1])),
  },
]

/** Costly to read, whatever is sent. */
const schemas = [
  {
    name: '2,000 subschemas with patterns',
    inputSchema: taking({ allOf: times(990, (index) => ({ pattern: `^(?:a${index}|b${index}){1,${index + 1}}$` })) }),
    v: 'x',
  },
  {
    name: 'sixty patterns of 4,000 characters',
    inputSchema: taking({ allOf: times(60, (index) => ({ pattern: `${'(a|b)?'.repeat(660)}${index}` })) }),
    v: 'x'.repeat(1000),
  },
  {
    name: 'references through 60 levels to 500 resources',
    inputSchema: taking(
      nest(
        55,
        {
          anyOf: times(900, () => ({ $ref: `#/properties/v${'/items'.repeat(55)}/$defs/x` })),
          $defs: { x: { type: 'string' } },
        },
        (inner) => ({ items: inner }),
      ),
      { $defs: Object.fromEntries(times(900, (index) => [`i${index}`, { $id: `i${index}` }])) },
    ),
    v: brackets(50, 'x'),
  },
  {
    name: 'weights of nested lists',
    inputSchema: taking(nest(50, {}, (inner) => ({ items: inner, enum: times(800, (index) => [index]) }))),
    v: brackets(50),
  },
  { name: '60,000 keys in one schema', inputSchema: taking({ examples: [keys(18_000)] }), v: 1 },
  {
    name: 'enum of 10,000 alike objects',
    inputSchema: taking({ enum: times(9_000, (index) => ({ a: index * 2 ** 32 })) }),
    v: { a: 1 },
  },
]

/** @type {{ name: string, inputSchema: Record<string, unknown>, arguments: Record<string, unknown> }[]} */
export const bombs = [...recursive, ...dynamic, ...fans, ...wide, ...patterns, ...schemas].map(
  ({ name, inputSchema, v }) => ({
    name,
    inputSchema,
    arguments: { v },
  }),
)
