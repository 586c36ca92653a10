/** Modern requests carry their own metadata; legacy ones live in a session begun by `initialize`. The spec's own terms. */
export type Era = 'legacy' | 'modern'

/** Revisions with the `initialize` handshake, oldest first. */
export const legacyVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

/** Revisions with per-request metadata, oldest first. */
export const modernVersions = ['2026-07-28'] as const

export const latestLegacyVersion = '2025-11-25'
export const latestModernVersion = '2026-07-28'

/** What the spec tells a server to assume of a legacy HTTP request without a version header. */
export const assumedLegacyVersion = '2025-03-26'

export const isLegacyVersion = (version: unknown): version is (typeof legacyVersions)[number] =>
  (legacyVersions as readonly unknown[]).includes(version)

export const isModernVersion = (version: unknown): version is (typeof modernVersions)[number] =>
  (modernVersions as readonly unknown[]).includes(version)

/** The answer to `initialize`: the version asked for if we speak it, else our newest; the client decides if it can live with that. */
export const negotiateVersion = (requested: unknown): string =>
  isLegacyVersion(requested) ? requested : latestLegacyVersion
