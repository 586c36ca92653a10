import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import type { EffectDesk, EffectRow } from '../../faces/admin/effects.js'
import type { Gateway } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'
import { suggestionOf } from '../../policy/effects.js'
import { definitionHash } from '../../schema/definition-hash.js'
import type { Reviewing } from './reviewing.js'

export interface EffectParts {
  readonly gateway: Gateway
  readonly reviewing: Pick<Reviewing, 'approvals' | 'fourEyes'>
  readonly config: Pick<Config, 'profiles'>
}

/** What an approver says of tools: the same for the console and the command line. */
export const createEffectDesk = (parts: EffectParts): EffectDesk => {
  const { approvals, fourEyes } = parts.reviewing
  const { policy, catalog } = parts.gateway
  // Asked for each time: a reload may bring others.
  const profileNames = (): readonly string[] => Object.keys(parts.config.profiles)
  const toRow = (tool: Tool): EffectRow => {
    const effects = profileNames().map((profile) => ({ profile, effect: policy.effectOf(tool, profile) }))
    const able = effects.flatMap(({ profile, effect }) => (effect.readonly ? [{ profile, by: effect.by }] : []))
    const stated = approvals.readonlyBy(tool)
    return {
      id: tool.id,
      source: tool.source,
      hash: definitionHash(tool.definition),
      profiles: able.map(({ profile }) => profile),
      by: able[0]?.by,
      stated: stated && { by: stated.by, at: stated.at },
      suggestion: suggestionOf(tool.definition),
    }
  }
  const find = (id: string): Tool | undefined => {
    const tool = catalog.snapshot().get(id)
    return tool?.own ? undefined : tool
  }
  return {
    get canDecide() {
      return approvals.canDecide
    },
    list: () =>
      catalog
        .snapshot()
        .tools.filter(({ own }) => !own)
        .map(toRow)
        .filter(({ profiles, stated, suggestion }) => profiles.length > 0 || stated || suggestion),
    of: (id) => {
      const tool = find(id)
      return tool && toRow(tool)
    },
    set: async (id, { effect, hash }, by) => {
      const tool = find(id)
      if (!tool)
        throw unknown(
          id,
          catalog.held().some((each) => each.id === id),
        )
      if (!approvals.canDecide)
        throw new GatewayError(
          'STORE_UNREADABLE',
          'Nothing can be decided here: what is remembered belongs to another process, or cannot be read. Ask that one.',
        )
      if (hash !== undefined && hash !== definitionHash(tool.definition))
        throw new GatewayError(
          'TOOL_CONFLICT',
          `'${id}' has changed since it was shown; nothing was decided. Look again.`,
        )
      if (effect === 'readonly' && suggestionOf(tool.definition) === 'destructive')
        throw new GatewayError(
          'TOOL_CONFLICT',
          `'${id}' says of itself that it is destructive (destructiveHint), which no word of ours takes back. It stays out of what readers may call.`,
        )
      if (effect === 'readonly') await fourEyes.check(tool.source, by)
      await approvals.setReadonly(tool, effect === 'readonly', by.name)
      policy.recheck()
      return toRow(tool)
    },
  }
}

const unknown = (id: string, isHeld: boolean): GatewayError =>
  isHeld
    ? new GatewayError('TOOL_HELD', `'${id.slice(0, 200)}' is held back; approve it first: pegboard approvals show`)
    : new GatewayError('TOOL_NOT_FOUND', `There is no tool '${id.slice(0, 200)}' here; look: pegboard list`)
