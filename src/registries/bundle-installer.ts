import type { NamedServerInput } from './server-json.js'

/** An MCPB bundle that somebody chose, before anything of it is fetched. */
export interface BundleRequest {
  /** Where it is fetched from. */
  readonly url: string
  /** What its bytes must hash to, as the registry says. */
  readonly sha256: string
  /** The server's name in the registry. */
  readonly name: string
  readonly version: string
  /** What was answered to what the bundle's manifest, or the registry's entry, asks for. */
  readonly userConfig: Readonly<Record<string, string | readonly string[]>>
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((words: string) => void) | undefined
}

export interface InstalledBundle {
  /** The source, as it is written into the configuration. */
  readonly entry: Readonly<Record<string, unknown>>
  /** Where the bundle was unpacked. */
  readonly folder: string
  /** Takes it away again, for who cannot write the entry. */
  undo(): Promise<void>
}

/** Fetches, verifies and unpacks bundles; made by `serving`, since it writes to the data folder. */
export interface BundleInstaller {
  /** What the bundle's own manifest asks for; its file is fetched and verified for that, and kept for `install`. */
  inputs(request: Omit<BundleRequest, 'userConfig'>): Promise<readonly NamedServerInput[]>
  install(request: BundleRequest): Promise<InstalledBundle>
}
