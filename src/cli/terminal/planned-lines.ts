import type { AskedInput } from '../../registries/inputs.js'
import { say, spoken } from '../../serving/locale.js'
import type { PlannedServer } from '../../serving/registries/install.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { findingLines } from './finding-lines.js'
import { painted } from './terminal.js'

/** A server of a registry as a person decides about it: what it is, what it would run, what is worth a look. */
export const plannedLines = (planned: PlannedServer): readonly string[] => {
  const { listed, registry, way, ways, plan, findings } = planned
  const { server } = listed
  return [
    `${painted('bold', server.name)} ${server.version}  ${painted('dim', registry.name)}`,
    ...(server.description ? [oneLine(server.description)] : []),
    ...(server.repository ? [painted('dim', oneLine(server.repository.url))] : []),
    '',
    way.kind === 'remote'
      ? say(`It connects to: ${plan.runs}`, `它连接到：${plan.runs}`)
      : plan.bundle
        ? say(`It unpacks: ${plan.runs}`, `它解开：${plan.runs}`)
        : say(`It runs: ${plan.runs}`, `它运行：${plan.runs}`),
    ...ways
      .filter((each) => each.way.id !== way.id)
      .map(({ way: { id, label }, problem }) =>
        painted(
          'dim',
          `  ${say('also', '另有')} ${id}: ${oneLine(label)}${problem === undefined ? '' : ` (${problem})`}`,
        ),
      ),
    ...setLines(planned),
    ...plan.cautions.map((caution) => painted('yellow', `! ${caution[spoken()]}`)),
    ...(findings.length > 0 ? [say('Worth a look:', '值得留意：'), ...findingLines(findings)] : []),
  ]
}

const setLines = ({ plan }: PlannedServer): readonly string[] => {
  const secrets = plan.secrets.map(({ input, reference }) =>
    say(`  ${input.name} is kept apart, as ${reference}`, `  ${input.name} 单独保存，写作 ${reference}`),
  )
  const env = Object.entries((plan.entry.env ?? plan.entry.headers ?? {}) as Record<string, string>)
    .filter(([name]) => !plan.secrets.some(({ input }) => input.name === name))
    .map(([name, value]) => `  ${name}=${oneLine(value)}`)
  return [...env, ...secrets]
}

/** What a server asks for, as lines of a table. */
export const inputRows = (inputs: readonly AskedInput[]): readonly (readonly string[])[] =>
  inputs.map(({ name, place, isRequired, isSecret, default: usual, description, choices }) => [
    name,
    place,
    [isRequired ? say('required', '必填') : '', isSecret ? say('secret', '机密') : ''].filter(Boolean).join(', '),
    usual ?? choices?.join('|') ?? '',
    oneLine(description ?? ''),
  ])
