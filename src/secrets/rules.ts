import type { SecretRule } from './rule.js'
import { cloudRules } from './rules/cloud.js'
import { developerRules } from './rules/developer.js'
import { generalRules } from './rules/general.js'
import { serviceRules } from './rules/services.js'

/** Every kind of credential that is looked for. Where two fit one place, the first here wins. */
export const secretRules: readonly SecretRule[] = [...cloudRules, ...developerRules, ...serviceRules, ...generalRules]

/** Its ids, which a profile may allow. */
export const secretRuleIds: readonly string[] = secretRules.map(({ id }) => id)
