import { describe, expect, it } from 'vitest'
import { isPrivateAddress } from './private-addresses.js'

const denied = [
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.1',
    '169.254.169.254',
    '172.16.0.1',
  ],
  ...[
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
  ],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::7f00:1', '64:ff9b::7f00:1'],
  ...[
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '100::1',
    '2001:db8::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
  ],
  ...['fec0::1', 'ff02::1', '[::1]', 'localhost', ''],
]
const allowed = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '192.167.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '100.128.0.1',
]

describe('private addresses (T11)', () => {
  it.each(denied)('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  it.each(allowed)('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  })
})
