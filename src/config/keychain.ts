/** How a platform's keychain is asked: by the program that comes with it. */
export interface Keychain {
  readonly argv: (service: string, account: string) => readonly string[]
  /** What it ends with where there is no such entry. */
  readonly notFound: number
  /** What is said where the program itself is not there. */
  readonly absent: string
  /** What is said where there is no such entry, with how to make one. */
  readonly store: (service: string, account: string) => string
}

/** Undefined where there is none that a program can ask. */
export const keychainOf = (platform: NodeJS.Platform): Keychain | undefined => {
  if (platform === 'darwin') return macOS
  return platform === 'win32' || platform === 'android' ? undefined : secretService
}

const macOS: Keychain = {
  argv: (service, account) => ['security', 'find-generic-password', '-s', service, '-a', account, '-w'],
  notFound: 44,
  absent: 'there is no program `security` here',
  store: (service, account) =>
    `the keychain has no such entry; make it: security add-generic-password -s '${service}' -a '${account}' -w`,
}

/** GNOME Keyring, KWallet, KeePassXC … through the one program that speaks to all of them. */
const secretService: Keychain = {
  argv: (service, account) => ['secret-tool', 'lookup', 'service', service, 'account', account],
  notFound: 1,
  absent: `this machine has no keychain that can be asked: install 'secret-tool' (libsecret-tools), or write \${cmd:…}`,
  store: (service, account) =>
    `the keychain has no such entry, or is locked; make it: secret-tool store --label='${service}' service '${service}' account '${account}'`,
}
