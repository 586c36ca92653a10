/** How large a bundle may be. Whatever is larger is refused before anything of it is written. */
export interface BundleLimits {
  /** The file as it comes. Default: 256 MiB. */
  readonly fileBytes: number
  /** All files of it, unpacked. Default: 1 GiB. */
  readonly unpackedBytes: number
  /** One file of it, unpacked: it is held in memory while it is checked. Default: 256 MiB. */
  readonly entryBytes: number
  /** Files and folders. Default: 50,000, which is what a large `node_modules` has. */
  readonly entries: number
  /** So many times its own size it may become; what is small anyway is let pass. Default: 100. */
  readonly ratio: number
  /** Of `manifest.json`. Default: 1 MiB. */
  readonly manifestBytes: number
}

const mebibyte = 1024 * 1024

export const bundleLimits: BundleLimits = Object.freeze({
  fileBytes: 256 * mebibyte,
  unpackedBytes: 1024 * mebibyte,
  entryBytes: 256 * mebibyte,
  entries: 50_000,
  ratio: 100,
  manifestBytes: mebibyte,
})

/** Up to here nobody asks how well it was packed: a few files of zeros are no bomb. */
export const harmlessBytes = 16 * mebibyte
