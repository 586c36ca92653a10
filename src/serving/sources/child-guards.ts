import type { Config } from '../../config/schema.js'
import { type GuardReport, type SandboxKind, sandboxOf } from '../../sources/stdio/leash/guards.js'
import { findBubblewrap, findContainers } from '../../sources/stdio/leash/machine.js'
import { guardReport } from '../../sources/stdio/leash/report.js'

/** What the commands of a configuration want to be kept by, beside what this machine can do. */
export interface ChildGuards {
  /** How many sources run a command here. */
  readonly commands: number
  /** Each box that is wanted, and why it cannot be had where it cannot. */
  readonly sandboxes: readonly {
    readonly kind: SandboxKind
    readonly sources: readonly string[]
    readonly why?: string | undefined
  }[]
  readonly limits: readonly { readonly source: string; readonly report: GuardReport }[]
}

export const childGuardsOf = async ({ sources }: Pick<Config, 'sources'>): Promise<ChildGuards> => {
  const commands = Object.entries(sources).flatMap(([name, source]) =>
    source.type === 'stdio' && source.enabled ? [{ name, source }] : [],
  )
  const kinds = new Map<Exclude<SandboxKind, 'none'>, string[]>()
  for (const { name, source } of commands) {
    const kind = sandboxOf(source.sandbox)?.kind
    if (kind) kinds.set(kind, [...(kinds.get(kind) ?? []), name])
  }
  const sandboxes = [...kinds].map(async ([kind, names]) => {
    const { why } = await (kind === 'bubblewrap' ? findBubblewrap() : findContainers(kind))
    return { kind, sources: names, why }
  })
  return {
    commands: commands.length,
    sandboxes: await Promise.all(sandboxes),
    limits: commands.flatMap(({ name, source }) => {
      const report = guardReport(source)
      return report && report.limits.length + report.lacking.length > 0 ? [{ source: name, report }] : []
    }),
  }
}
