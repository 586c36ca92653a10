import { address, asWritten, listOf, milliseconds, variable, words } from './kinds-of-value.js'
import { section, setting } from './setting.js'

/** Long enough that nobody guesses it; what is derived from it is only as strong. */
const secretText = { least: 32, most: 4096 }

export const fleet = section('One replica among others on one database', {
  replica: setting(
    words(({ z }) =>
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be letters, digits, dots and hyphens'),
    ),
    {
      about: 'The name of this replica. Default: the name of the machine and four random digits',
      example: variable('HOSTNAME'),
      env: ['PEGBOARD_REPLICA'],
      live: false,
      label: ['Name of this replica', '本副本的名称'],
    },
  ),
  address: setting(address(['http', 'https']), {
    about:
      'How the other replicas reach this one. Default: the first address of this machine that is not loopback, and the port',
    example: 'http://10.0.0.7:8000',
    env: ['PEGBOARD_REPLICA_ADDRESS'],
    live: false,
    label: ['Address for other replicas', '供其他副本访问的地址'],
  }),
  secret: setting(
    words(({ z }) => z.string().min(secretText.least).max(secretText.most), { read: asWritten }),
    {
      about:
        'What session ids, states and passes between replicas are sealed under, the same for all. Default: made once and kept where the data is',
      example: variable('PEGBOARD_FLEET_SECRET'),
      env: ['PEGBOARD_FLEET_SECRET'],
      live: false,
      label: ['Secret of the fleet', '集群密钥'],
    },
  ),
  previousSecrets: setting(
    listOf(({ z }) => z.array(z.string().min(secretText.least).max(secretText.most)).max(8)),
    {
      about: 'Secrets that were in use before: what they sealed still opens, nothing is sealed by them any more',
      default: [],
      live: false,
      label: ['Earlier secrets', '以前的密钥'],
    },
  ),
  leaseMs: setting(milliseconds(500), {
    about: 'How long a replica that fell silent keeps what runs only once, such as a stdio server',
    default: 3000,
    env: ['PEGBOARD_FLEET_LEASE_MS'],
    live: false,
    label: ['Time until another takes over', '由其他副本接管前的时间'],
    help: ['Milliseconds.', '毫秒。'],
  }),
})
