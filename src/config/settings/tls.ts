import { oneOf, path, structure } from './kinds-of-value.js'
import { optionalSection, setting } from './setting.js'

/** For those without a proxy that does it. */
export const tls = optionalSection('TLS at our own port. The files are read anew when they change', {
  cert: setting(path(), {
    about: 'The certificate, with those that vouch for it behind it, in PEM',
    example: '/etc/ssl/pegboard/fullchain.pem',
    env: ['PEGBOARD_TLS_CERT'],
    flag: {
      name: 'tlsCert',
      value: 'file',
      help: ['serve HTTPS with this certificate (PEM)', '用此证书（PEM）提供 HTTPS'],
      on: 'listening',
    },
    live: false,
    label: ['Certificate', '证书'],
  }),
  key: setting(path(), {
    about: 'Its key, in PEM without a passphrase; for its owner alone',
    example: '/etc/ssl/pegboard/privkey.pem',
    env: ['PEGBOARD_TLS_KEY'],
    flag: {
      name: 'tlsKey',
      value: 'file',
      help: ['the key of the certificate (PEM)', '证书的私钥（PEM）'],
      on: 'listening',
    },
    live: false,
    label: ['Key of the certificate', '证书的私钥'],
  }),
  ca: setting(path(), {
    about: 'Who vouches for the certificates of clients, in PEM',
    example: '/etc/ssl/pegboard/clients.pem',
    env: ['PEGBOARD_TLS_CA'],
    live: false,
    label: ['Authority of client certificates', '客户端证书的颁发者'],
  }),
  clients: setting(oneOf(['none', 'optional', 'required']), {
    about:
      'Whether clients are asked for a certificate. `required` refuses whoever has none, beside keys; probes and programs of the same user on this machine excepted',
    default: 'none',
    env: ['PEGBOARD_TLS_CLIENTS'],
    live: false,
    label: ['Certificates of clients', '客户端证书'],
  }),
  callers: setting(
    structure(({ certificateHolders }) => certificateHolders),
    {
      about: 'Whose certificate stands for a key, by `fingerprint`, `san`, `cn` or `any`, with `role` and `profile`',
      example: { build: { san: 'DNS:build.example.com', role: 'caller', profile: 'default' } },
      default: {},
      live: true,
      label: ['Callers by certificate', '以证书识别的调用方'],
    },
  ),
})
