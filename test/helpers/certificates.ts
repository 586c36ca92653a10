import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether certificates can be made here. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.log('Skipped: tests of TLS need the program `openssl`.')

export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  /** Who vouches for it. Default: itself. */
  readonly by?: Certificate | undefined
  readonly days?: number | undefined
  /** Default: `localhost` and loopback. */
  readonly names?: string | undefined
  readonly isAuthority?: boolean | undefined
}

let serial = 1

/** Makes a certificate and its key in a folder, by files of this name. */
export const makeCertificate = (
  folder: string,
  name: string,
  { by, days = 2, names = 'DNS:localhost,IP:127.0.0.1', isAuthority = false }: CertificateOptions = {},
): Certificate => {
  const made = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const about = join(folder, `${name}.cnf`)
  writeFileSync(about, `subjectAltName=${names}\nbasicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}\n`)
  const request = join(folder, `${name}.csr`)
  run(
    'req',
    '-new',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    `/CN=${name}/O=Tests`,
    '-keyout',
    made.key,
    '-out',
    request,
  )
  const signer = by ? ['-CA', by.cert, '-CAkey', by.key] : ['-signkey', made.key]
  run(
    'x509',
    '-req',
    '-in',
    request,
    ...signer,
    '-days',
    String(days),
    '-set_serial',
    String(serial++),
    '-extfile',
    about,
    '-out',
    made.cert,
  )
  return made
}

/** Both in one file, as HAProxy wants them. */
export const bothIn = (file: string, { cert, key }: Certificate): string => {
  writeFileSync(file, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
  return file
}
