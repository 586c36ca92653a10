import { createMemoryDocuments } from '../../src/storage/memory/memory-documents.js'
import { createVault, type KeyedVault } from '../../src/storage/open-vault.js'
import type { SharedDocuments } from '../../src/storage/store.js'
import { givenKeys } from '../../src/storage/vault-keys.js'
import { vaultRootOf } from '../../src/storage/vault-seal.js'
import { silentLogger } from '../../src/telemetry/logger.js'

/** A vault by these keys, the first of which seals. */
export const testVault = (
  secrets: string | readonly string[],
  markers: SharedDocuments = createMemoryDocuments(),
): KeyedVault =>
  createVault({ keys: givenKeys('vault.key', [secrets].flat().map(vaultRootOf)), markers, logger: silentLogger })
