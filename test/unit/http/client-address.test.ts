import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../lib/http/client-address.ts'

const WORKERS = '2a06:98c0:3600::103'

const from = (address: string, worker?: string) =>
  clientAddress(
    new Headers({ 'cf-connecting-ip': address, ...(worker === undefined ? {} : { 'cf-worker': worker }) }),
  )

describe('the client address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
    ['2001:0db8:0001:02ff::', '2001:db8:1:200::/56'],
    ['2001:db8:1:2ab::6', '2001:db8:1:200::/56'],
    ['2001:db8::1', '2001:db8:0:0::/56'],
    ['2001:db8::a04:5:6:7:8', '2001:db8:0:a00::/56'],
    ['2001:db8:1:fffe:3:4:5::', '2001:db8:1:ff00::/56'],
    ['::', '0:0:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
    ['::2:3:104:5:6:7:8', '0:2:3:100::/56'],
    ['1::', '1:0:0:0::/56'],
    ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ])('of %s counts as %s', (address, expected) => {
    expect(from(address)).toBe(expected)
  })

  it('is the same for all requests without the header', () => {
    expect(clientAddress(new Headers())).toBe('unknown')
  })

  it('differs between networks and not within one', () => {
    expect(from('2001:db8:0:100::1')).not.toBe(from('2001:db8:0:200::1'))
    expect(from('2001:db8:0:100::1')).toBe(from('2001:db8:0:1ff:ffff:ffff:ffff:ffff'))
    expect(from('::ffff:203.0.113.9')).not.toBe(from('::ffff:203.0.113.10'))
  })

  it('is the zone for Workers of other zones, in any spelling', () => {
    expect(from(WORKERS, 'shop.example')).toBe('worker shop.example')
    expect(from('2A06:98C0:3600:0:0:0:0:0103', 'Shop.Example')).toBe('worker shop.example')
    expect(from(WORKERS)).toBe('2a06:98c0:3600:0::/56')
    expect(from(WORKERS, '')).toBe('2a06:98c0:3600:0::/56')
  })

  it('ignores CF-Worker from any other address', () => {
    for (const address of ['192.0.2.7', '2a06:98c0:3600::104', '2a06:98c0:3601::103', '::ffff:192.0.2.7'])
      expect(from(address, 'shop.example')).toBe(from(address))
  })
})
