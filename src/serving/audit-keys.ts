import { createHmac } from 'node:crypto'
import type { Config } from '../config/schema.js'
import type { VaultKeys } from '../storage/vault-keys.js'
import { deriveFrom, type VaultRoot } from '../storage/vault-seal.js'
import type { AuditSigner } from '../telemetry/audit-chain.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { keysOf } from './vault.js'

/** What the trail is signed and hidden by: keys made of the roots of the vault. */
export interface AuditKeys {
  /** Undefined where there is no root yet: none is made only to sign with it. */
  readonly signer: () => AuditSigner | undefined
  readonly keyOf: (keyId: string) => Buffer | undefined
  /** The key of the root that seals, which is made where there is none. */
  readonly made: () => Buffer
}

export const auditKeys = (
  config: Pick<Config, 'vault' | 'fleet' | 'storage'>,
  env: Readonly<Record<string, string | undefined>>,
  logger: Logger = silentLogger,
): AuditKeys => {
  let known: VaultKeys | undefined
  // Without a secret that all replicas have, each would sign with a root that nobody knows tomorrow.
  const isNowhere = config.vault.key === undefined && !isKept(config) && config.fleet.secret === undefined
  const keys = (): VaultKeys =>
    (known ??= keysOf(config, { env, logger, onSecret: () => {}, fleetSecret: config.fleet.secret }))
  const attempt = <T>(make: () => T | undefined): T | undefined => {
    if (isNowhere) return undefined
    try {
      return make()
    } catch {
      // The vault says so itself, where it is needed.
      return undefined
    }
  }
  const keyOf = (root: VaultRoot): Buffer => deriveFrom(root, 'audit')
  const signing = new Map<string, AuditSigner>()
  return {
    signer: () =>
      attempt(() => {
        const [root] = keys().known()
        if (!root) return undefined
        const signer = signing.get(root.keyId) ?? { keyId: root.keyId, key: keyOf(root) }
        signing.set(root.keyId, signer)
        return signer
      }),
    keyOf: (keyId) =>
      attempt(() => {
        const root = keys()
          .known()
          .find((each) => each.keyId === keyId)
        return root && keyOf(root)
      }),
    made: () => keyOf(keys().sealing()),
  }
}

const isKept = ({ storage: { backend } }: Pick<Config, 'storage'>): boolean =>
  backend === 'json' || backend === 'sqlite'

const mostKept = 10_000

/** Names that are the same for the same person, and tell nothing to whoever has not the key. */
export const pseudonymsOf = (key: Buffer): ((id: string) => string) => {
  const known = new Map<string, string>()
  return (id) => {
    const made = known.get(id) ?? `h:${createHmac('sha256', key).update(`person\n${id}`).digest('hex').slice(0, 20)}`
    if (known.size >= mostKept) known.clear()
    known.set(id, made)
    return made
  }
}
