import { createHash } from 'node:crypto'
import { isRecord } from '../../../model/json.js'
import type { ServicePlan } from './plan.js'

/** What a definition of ours says of itself, in a comment: by it we know later what we wrote, and what belongs to it. */
export interface ServiceFacts
  extends Pick<ServicePlan, 'version' | 'command' | 'config' | 'dataFolder' | 'environmentFile'> {
  /** Nobody edited it since. */
  readonly isUntouched: boolean
}

/** A definition with its facts behind it, as a comment of its language. */
export const withFacts = (text: string, plan: ServicePlan, comment: (line: string) => string): string => {
  const { version, command, config, dataFolder, environmentFile } = plan
  const facts = { version, command, config, dataFolder, environmentFile, written: markOf(text) }
  // Two dashes end a comment of XML.
  return `${text}${comment(`Pegboard: ${JSON.stringify(facts).replaceAll('--', '-\\u002d')}`)}\n`
}

/** Undefined where it is not ours. */
export const readFacts = (text: string): ServiceFacts | undefined => {
  const found = /^.*Pegboard: (\{.*\}).*\n?/m.exec(text)
  const facts = found && parsed(found[1]!)
  if (!found || !facts) return undefined
  const fact = (name: string): string => (typeof facts[name] === 'string' ? (facts[name] as string) : '')
  return {
    version: fact('version'),
    command: Array.isArray(facts.command) ? facts.command.map(String) : [],
    config: fact('config'),
    dataFolder: fact('dataFolder'),
    environmentFile: fact('environmentFile'),
    isUntouched: fact('written') === markOf(text.replace(found[0], '')),
  }
}

const markOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
