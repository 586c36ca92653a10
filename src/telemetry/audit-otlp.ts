import { type AuditEntry, type AuditKind, readEntry } from './audit-entry.js'

/** OCSF 1.x: the class that says the same. */
const ocsf: Readonly<Record<AuditKind, readonly [uid: number, name: string]>> = {
  call: [6003, 'API Activity'],
  read: [6003, 'API Activity'],
  prompt: [6003, 'API Activity'],
  'sign-in': [3002, 'Authentication'],
  'sign-out': [3002, 'Authentication'],
  'break-glass': [3002, 'Authentication'],
  consent: [3003, 'Authorize Session'],
  refusal: [3003, 'Authorize Session'],
  key: [3001, 'Account Change'],
  person: [3001, 'Account Change'],
  credential: [3001, 'Account Change'],
  grant: [3005, 'User Access Management'],
  source: [3004, 'Entity Management'],
  setting: [3004, 'Entity Management'],
  approval: [3004, 'Entity Management'],
  export: [6003, 'API Activity'],
  system: [6002, 'Application Lifecycle'],
}

const methods: Readonly<Record<string, string>> = {
  tool: 'tools/call',
  resource: 'resources/read',
  prompt: 'prompts/get',
  completion: 'completion/complete',
}

/** What OpenTelemetry calls the object of a call. */
const objects: Readonly<Record<string, string>> = {
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  resource: 'mcp.resource.uri',
}

/** A batch of lines as the body of an OTLP export over HTTP (`/v1/logs`, JSON). The line itself is the body of its record. */
export const toOtlp = (lines: readonly string[], resource: Readonly<Record<string, string | undefined>>): string =>
  JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeLogs: [{ scope: { name: 'pegboard.audit' }, logRecords: lines.flatMap(recordOf) }],
      },
    ],
  })

const recordOf = (line: string): readonly object[] => {
  const entry = readEntry(line)
  if (!entry) return []
  const [severityNumber, severityText] = severityOf(entry)
  return [
    {
      timeUnixNano: `${Date.parse(entry.at)}000000`,
      ...{ severityNumber, severityText, eventName: 'pegboard.audit' },
      body: { stringValue: line },
      attributes: attributesOf(wordsOf(entry)),
      traceId: entry.trace,
    },
  ]
}

const severityOf = ({ outcome, severity }: AuditEntry): readonly [number, string] =>
  severity === 'high'
    ? [18, 'ERROR2']
    : outcome === 'ok'
      ? [9, 'INFO']
      : outcome === 'refused'
        ? [13, 'WARN']
        : [17, 'ERROR']

const wordsOf = (entry: AuditEntry): Readonly<Record<string, string | number | undefined>> => {
  const { kind, action, outcome, actor, on, source, profile, code, run, step, chain, seq } = entry
  const [uid, name] = ocsf[kind] ?? ocsf.system
  const isCall = kind === 'call' || kind === 'read' || kind === 'prompt'
  const object = isCall && on ? objects[on.type] : undefined
  return {
    'event.name': 'pegboard.audit',
    'user.id': actor.id,
    'user.name': actor.name,
    'client.address': actor.ip,
    'error.type': code,
    'mcp.method.name': isCall && on ? (methods[on.type] ?? on.id) : undefined,
    ...(object && on && { [object]: on.id }),
    'ocsf.class_uid': uid,
    'ocsf.class_name': name,
    ...{ 'pegboard.audit.kind': kind, 'pegboard.audit.action': action, 'pegboard.audit.outcome': outcome },
    ...{ 'pegboard.audit.on.type': on?.type, 'pegboard.audit.on.id': on?.id },
    ...{ 'pegboard.source': source, 'pegboard.profile': profile, 'pegboard.actor.type': actor.type },
    ...{ 'pegboard.run': run, 'pegboard.run.step': step },
    ...{ 'pegboard.audit.chain': chain, 'pegboard.audit.seq': seq },
  }
}

const attributesOf = (words: Readonly<Record<string, string | number | undefined>>): readonly object[] =>
  Object.entries(words).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }],
  )
