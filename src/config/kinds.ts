import { z } from 'zod'
import { approvalWebhook } from './approval-schema.js'
import { auditTrail } from './audit-schema.js'
import { childLimits, childSandbox } from './child-schema.js'
import * as fields from './fields.js'
import { grants, people, tokens, vaultKey } from './identity-schema.js'
import { toolOverrides } from './override-schema.js'
import { plugins } from './plugin-schema.js'
import { profile, profileName } from './profile-schema.js'
import { publishedServers } from './publish-schema.js'
import { actions } from './recall-schema.js'
import { registries } from './registry-schema.js'
import { callRules } from './rule-schema.js'
import { scripts } from './script-schema.js'
import { certificateHolders } from './tls-schema.js'
import { webhooks } from './webhook-schema.js'
import { endpoints } from './xiaozhi-schema.js'

/**
 * What the table of settings makes its schemas of. Handed to it, so that the table alone loads no schema library; by name,
 * since with all of `z` a bundle would hold all of zod.
 */
export const kinds = {
  z: {
    array: z.array,
    boolean: z.boolean,
    enum: z.enum,
    int: z.int,
    literal: z.literal,
    record: z.record,
    string: z.string,
    union: z.union,
  },
  ...fields,
  profiles: z.record(profileName, profile),
  overrides: toolOverrides(),
  actions,
  approvalWebhook,
  auditTrail,
  callRules,
  childLimits,
  childSandbox,
  endpoints,
  publishedServers,
  registries,
  certificateHolders,
  scripts,
  people,
  plugins,
  tokens,
  grants,
  vaultKey,
  webhooks,
}
export type Kinds = typeof kinds
