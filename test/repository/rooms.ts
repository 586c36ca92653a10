/** Which rooms each room may import besides itself. A wrong arrow fails `rooms.test.ts`. */
const floor = ['model', 'errors.ts', 'schema', 'secrets', 'telemetry', 'mcp', 'http'] as const

/** An entry names what it gives, from wherever it is. */
const entry = [
  ...floor,
  'sandbox',
  'gateway.ts',
  'faces',
  'sources',
  'storage',
  'catalog',
  'search',
  'config',
  'compat',
  'serving',
  'library',
  'providers',
  'invocation',
  'policy',
] as const

export const rooms: Readonly<Record<string, readonly string[]>> = {
  model: ['errors.ts'],
  'errors.ts': [],
  schema: ['model', 'errors.ts'],
  // Is there a credential in this? Pure rules over text and bytes.
  secrets: ['model'],
  telemetry: ['model', 'errors.ts', 'secrets'],
  mcp: ['model', 'errors.ts', 'telemetry'],
  http: ['model', 'errors.ts', 'telemetry'],
  // What can be asked over HTTP? One way to declare it, checked and documented by the same schemas.
  operations: floor,
  storage: floor,
  // Which calls were there? Kept in files of its own, whatever keeps the rest, and read apart from who serves calls.
  history: floor,
  // One source is the way into scripts, and one kind of source is made of them.
  sources: [...floor, 'sandbox'],
  // Is there something in a stranger's words that a person should see first? Pure rules: no file, no network, no process.
  scanner: ['model', 'errors.ts'],
  // What may a model's script do? An engine in a thread of its own; what a script calls is asked of whoever runs it.
  sandbox: ['model', 'errors.ts'],
  // The Source and Store interfaces, which sit at the top of their rooms; see `interfaceOnly`.
  catalog: [...floor, 'sources', 'storage', 'scanner'],
  search: floor,
  // What a person said of one call has to survive the process that asked; where there is no store it is kept in memory.
  policy: [...floor, 'storage'],
  // Who else is there? Replicas, what each of them holds, and how one asks another.
  fleet: [...floor, 'storage'],
  // Which clients are there? Their configuration files, read and written.
  clients: floor,
  // Which servers are there to be had? Registries asked, what they say read, and made into a source; nothing is written or run.
  registries: ['model', 'errors.ts', 'telemetry', 'mcp', 'scanner'],
  // What is in this bundle? An MCPB file read within bounds, unpacked into a folder, and made into a command; nothing is run.
  bundles: floor,
  // Who is this caller? Keys, and what stands in for them.
  access: [...floor, 'storage'],
  invocation: [...floor, 'catalog', 'policy', 'sources'],
  // What a gateway takes, apart from how its parts are put together: types alone.
  'gateway-options.ts': [...floor, 'storage', 'sources', 'catalog', 'search', 'policy', 'invocation'],
  'gateway.ts': [
    ...[...floor, 'storage', 'sources', 'catalog', 'search', 'policy', 'invocation', 'scanner'],
    'gateway-options.ts',
  ],
  config: [...floor, 'storage', 'sources', 'catalog', 'search', 'policy', 'invocation', 'gateway.ts'],
  // Whatever they need of the rooms below is the gateway's own interface, which `gateway.ts` re-exports.
  faces: [...floor, 'providers', 'operations', 'gateway.ts', 'fleet', 'registries', 'history'],
  // How did programs know us before? The interfaces of the documents it was built from, over the gateway.
  compat: [...floor, 'gateway.ts', 'sources', 'catalog', 'storage', 'search', 'faces'],
  // In whose words does a model ask? One file per provider: its calls read, its answers written.
  providers: [...floor, 'gateway.ts', 'catalog'],
  // What does a program hold in its hand? A gateway that mounts servers by describing them, with types.
  library: [...floor, 'sandbox', 'providers', 'gateway.ts', 'sources', 'catalog', 'storage', 'search', 'config'],
  // What runs? The one place that makes a running gateway of a configuration, and the faces in front of it.
  serving: [
    ...floor,
    'operations',
    'access',
    'clients',
    'config',
    'fleet',
    'gateway.ts',
    'faces',
    'registries',
    'bundles',
    'storage',
    'sources',
    'catalog',
    'search',
    'policy',
    'invocation',
    'scanner',
    'sandbox',
    'history',
  ],
  // What can I type? The words of answers come from the faces; whatever runs is asked of `serving`.
  cli: [
    ...floor,
    'operations',
    'serving',
    'access',
    'clients',
    'registries',
    'bundles',
    'config',
    'gateway.ts',
    'faces',
    'history',
  ],
  // What do we promise? The main entry, and the subpaths.
  'index.ts': entry,
  exports: entry,
}

/** Imports that may reach only a room's interface file, not what implements it. */
export const interfaceOnly: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  access: { storage: ['storage/store.ts'] },
  policy: { storage: ['storage/store.ts', 'storage/memory/memory-documents.ts'] },
  fleet: { storage: ['storage/commons.ts', 'storage/store.ts'] },
  faces: {
    fleet: ['fleet/fleet.ts', 'fleet/others.ts', 'fleet/peers.ts'],
    history: [
      'history/query.ts',
      'history/reader.ts',
      'history/newest-first.ts',
      'history/counting.ts',
      'history/tally.ts',
      'history/csv.ts',
    ],
  },
  catalog: {
    sources: ['sources/source.ts', 'sources/source-info.ts', 'sources/status.ts', 'sources/surface.ts'],
    storage: ['storage/store.ts'],
  },
  invocation: { sources: ['sources/source.ts'] },
  // The step that a program without it must not carry along: whoever wants it hands it to the gateway.
  serving: {
    invocation: [
      ...['invocation/steps/secrets.ts', 'invocation/limits/pooled.ts', 'invocation/overriding.ts'],
      // Loaded with the first plugin.
      ...['invocation/plugging.ts', 'invocation/plugin-run.ts'],
    ],
  },
}

/** Rooms whose folders stand beside each other and do not know each other. */
export const strangers = ['sources', 'faces', 'storage'] as const
