import { sourceSection } from '../../config/edit.js'
import type { Config } from '../../config/schema.js'
import { shapeConfig } from '../../config/shapes.js'
import { GatewayError } from '../../errors.js'
import type { InstallServer, RegistryDesk, ServerPlanAnswer, SourceUpdateRow } from '../../faces/admin/registry.js'
import { type CancelSignal, toAbortSignal } from '../../model/cancel.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { InputAnswers } from '../../registries/inputs.js'
import type { ListedServer } from '../../registries/server-json.js'
import { waysOf } from '../../registries/ways.js'
import { visibleText } from '../../telemetry/visible-text.js'
import type { FourEyes } from '../approvals/four-eyes.js'
import type { WrittenSources } from '../config-file.js'
import type { FileInForce } from '../file-in-force.js'
import { shownSources } from '../importing/shown-sources.js'
import { installPlanned, type PlannedServer, planServer } from '../registries/install.js'
import { openRegistries, type Registries } from '../registries/registries.js'
import { findUpdates, mergedEntry, type NewerVersion } from '../registries/updates.js'

export interface RegistrySurroundings {
  readonly config: () => Pick<Config, 'registries' | 'storage'>
  readonly inForce: FileInForce
  readonly fourEyes: FourEyes
}

const perSearch = 30

/** The registries of servers, as an operator looks at them and adds from them. */
export const createRegistryDesk = ({ config, inForce, fourEyes }: RegistrySurroundings): RegistryDesk => {
  const asking = async <T>(only: string | undefined, ask: (registries: Registries) => Promise<T>): Promise<T> => {
    const registries = openRegistries(config(), known(config(), only))
    try {
      return await ask(registries)
    } finally {
      await registries.close()
    }
  }
  const existing = (): WrittenSources => {
    const raw = inForce.raw()
    return isRecord(raw) ? shapeConfig(raw).sources : new Map()
  }
  const planOf = (wanted: InstallServer, signal: CancelSignal): Promise<PlannedServer> =>
    asking(wanted.registry, async (registries) => {
      const found = await registries.find(wanted.name, wanted.version || undefined, toAbortSignal(signal))
      const rules = { packageHosts: wanted.packageHosts }
      const wish = {
        as: wanted.as || undefined,
        way: wanted.package || undefined,
        answers: textsOf(wanted.values),
        rules,
      }
      return planServer(found, wish, config())
    })
  const write = (source: string, value: unknown): Promise<void> =>
    inForce.change(async () => [{ path: [await sourceSection(inForce.target, source), source], value }])
  const lookFor = async (signal: CancelSignal, only?: string): Promise<readonly NewerVersion[]> => {
    const opened: Registries[] = []
    try {
      const at = (url: string): Registries => {
        const registries = openRegistries(config(), url)
        opened.push(registries)
        return registries
      }
      return await findUpdates(existing(), config(), at, { only, signal: toAbortSignal(signal) })
    } finally {
      await Promise.all(opened.map((each) => each.close()))
    }
  }

  return {
    search: ({ search, cursor, registry }, signal) =>
      asking(registry, async (registries) => {
        const words = search.split(/\s+/).filter((word) => word !== '')
        const { found, away } = await registries.search(words, {
          limit: perSearch,
          cursor,
          signal: toAbortSignal(signal),
        })
        return {
          registries: found.map(({ registry: name, servers, refused, nextCursor, keptSince }) => ({
            ...{ name, nextCursor, keptSince },
            servers: servers.map(toRow),
            refused: refused.length,
          })),
          away: away.map(({ registry: name, reason }) => ({ name, reason })),
        }
      }),
    plan: async (wanted, signal) => toPlan(await planOf(wanted, signal), existing()),
    install: async (wanted, by, signal) => {
      const planned = await planOf(wanted, signal)
      const { source } = planned
      if (existing().has(source))
        throw new GatewayError('SOURCE_CONFLICT', `There is already a source named '${source}'; give it another name.`)
      await installPlanned(planned, config(), {
        isOff: true,
        signal: toAbortSignal(signal),
        write: (entry) => write(source, entry),
      })
      await fourEyes.noteSource(source, by)
      return { added: source, plan: toPlan(planned, existing()) }
    },
    updates: async (signal) => ({ sources: (await lookFor(signal)).map(toUpdate) }),
    update: async (source, values, version, by, signal) => {
      const [found] = await lookFor(signal, source)
      if (found === undefined)
        throw new GatewayError('SOURCE_NOT_FOUND', `'${source.slice(0, 64)}' did not come from a registry.`)
      if (found.planned === undefined)
        throw new GatewayError('SOURCE_INVALID', found.reason ?? `'${source}' has the newest version.`)
      if (found.latest !== version)
        throw new GatewayError('SOURCE_CONFLICT', `The newest version is ${found.latest} by now; look again.`)
      const answers = { ...found.answers, ...textsOf(values) }
      const planned = planServer(found.planned, { as: source, way: found.planned.way.id, answers }, config())
      const before = existing().get(source)!
      await installPlanned(planned, config(), {
        isOff: false,
        signal: toAbortSignal(signal),
        write: (entry) => write(source, mergedEntry(before, entry)),
      })
      await fourEyes.noteSource(source, by)
      return toUpdate(found)
    },
  }
}

/** Over HTTP only those of the configuration are asked: an address in a request would make us ask anybody. */
const known = ({ registries }: Pick<Config, 'registries'>, only: string | undefined): string | undefined => {
  if (only === undefined) return undefined
  const isKnown = registries.some((each) =>
    (typeof each === 'string' ? [each, new URL(each).host] : [each.name, each.url]).includes(only),
  )
  if (isKnown) return only
  throw new GatewayError('CONFIG_INVALID', `'${only.slice(0, 64)}' is none of the registries of the configuration.`)
}

const textsOf = (values: InstallServer['values']): InputAnswers =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([key, given]) => {
      if (typeof given === 'string') return [key, given]
      if (given.every((each): each is string => typeof each === 'string')) return [key, given]
      throw new GatewayError('ARGUMENTS_INVALID', `The value of '${key.slice(0, 64)}' must be text.`)
    }),
  )

const toRow = ({ server, standing }: ListedServer) => ({
  name: server.name,
  title: server.title && visibleText(server.title),
  version: server.version,
  description: visibleText(server.description),
  packages: waysOf(server).map(({ id }) => id),
  status: standing.status,
  updatedAt: standing.updatedAt,
  websiteUrl: server.websiteUrl,
})

const toPlan = (planned: PlannedServer, existing: WrittenSources): ServerPlanAnswer => {
  const { listed, registry, source, way, ways, inputs, plan, findings } = planned
  const { server, standing } = listed
  return {
    name: server.name,
    title: server.title && visibleText(server.title),
    version: server.version,
    description: visibleText(server.description),
    status: standing.status,
    repository: server.repository?.url,
    websiteUrl: server.websiteUrl,
    registry: registry.name,
    source,
    isFree: !existing.has(source),
    package: way.id,
    packages: ways.map(({ way: { id, label }, problem }) => ({ id, label, problem })),
    runs: plan.runs,
    entry: shownSources([[source, plan.entry]])[source] as JsonObject,
    inputs,
    missing: plan.missing.map(({ key }) => key),
    cautions: plan.cautions,
    findings,
  }
}

const toUpdate = ({ planned, answers, ...rest }: NewerVersion): SourceUpdateRow => ({
  ...rest,
  runs: planned?.plan.runs,
})
