import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeHash } from '../../../lib/pioneer/code-hash.ts'
import { canonicalCode, codeFromBytes, parseSpots, spotsLeft, stateOf } from '../../../lib/pioneer/rules.ts'

const anyCode = fc.uint8Array({ minLength: 12, maxLength: 12 }).map(codeFromBytes)

describe('an invite code', () => {
  it('is CRED and two blocks of Crockford Base32, every character equally frequent', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        expect(code).toMatch(/^CRED-[0-9A-HJKMNP-TV-Z]{6}-[0-9A-HJKMNP-TV-Z]{6}$/)
      }),
    )
    const all = Array.from({ length: 256 }, (_, byte) => codeFromBytes(new Uint8Array(12).fill(byte)))
    expect(new Set(all).size).toBe(32)
    expect(() => codeFromBytes(new Uint8Array(8))).toThrow(RangeError)
  })

  it('reads the same in any case, with look-alikes, and with any spaces', () => {
    const anyCase = (text: string, upper: boolean[]) =>
      [...text].map((c, i) => (upper[i % upper.length] ? c : c.toLowerCase())).join('')
    fc.assert(
      fc.property(
        anyCode,
        fc.array(fc.boolean(), { minLength: 1 }),
        fc.constantFrom('', '-', ' ', ' - ', '–', '\u00a0'),
        fc.constantFrom('I', 'L'),
        (code, upper, separator, one) => {
          const alike = code.replaceAll('0', 'O').replaceAll('1', one).replaceAll('-', separator)
          expect(canonicalCode(anyCase(alike, upper))).toBe(code)
        },
      ),
    )
    expect(canonicalCode(' cred-oil0zz-oil1zz\n')).toBe('CRED-0110ZZ-0111ZZ')
  })

  it('of eight characters, as it was issued before, is read, too', () => {
    expect(canonicalCode('cred 7k3m 9qxz')).toBe('CRED-7K3M-9QXZ')
  })

  it.each([
    '',
    'CRED',
    'CRED-7K3M-9QX',
    'CRED-7K3M-9QXZZ',
    'CRED-7K3M9Q-XZ4T8',
    'CRED-7K3M9Q-XZ4T8BB',
    '7K3M-9QXZ',
    'CRAD-7K3M-9QXZ',
    'CRED-7K3M-9QXU',
    'CRED_7K3M_9QXZ',
    'CRED-7K3M-9QX\u0000',
    `CRED-7K3M-9QXZ${' '.repeat(60)}`,
    'CRED-7K3M-9QXZ; drop table pioneers',
  ])('is not %j', (text) => expect(canonicalCode(text)).toBeUndefined())

  it('is stored as its SHA-256', async () => {
    expect(await codeHash('CRED-7K3M-9QXZ')).toMatch(/^[0-9a-f]{64}$/)
    expect(await codeHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('is open until the instant at which it expires, and used or revoked for good', () => {
    const now = new Date('2026-11-20T10:00:00Z')
    const later = new Date(now.getTime() + 1)
    const fresh = { usedAt: null, revokedAt: null, expiresAt: null }
    expect(stateOf(fresh, now)).toBe('open')
    expect(stateOf({ ...fresh, expiresAt: later }, now)).toBe('open')
    expect(stateOf({ ...fresh, expiresAt: now }, now)).toBe('expired')
    expect(stateOf({ ...fresh, expiresAt: now, revokedAt: now }, now)).toBe('revoked')
    expect(stateOf({ ...fresh, expiresAt: now, usedAt: now }, now)).toBe('used')
  })
})

describe('spots', () => {
  it('are a whole number', () => {
    expect(parseSpots('1000')).toBe(1000)
    expect(parseSpots('0')).toBe(0)
    for (const text of ['', '-1', '1.5', '1e3', 'many', '99999999999']) {
      expect(() => parseSpots(text), text).toThrow('PIONEER_SPOTS')
    }
  })

  it('left are never fewer than none', () => {
    expect(spotsLeft(1000, 1)).toBe(999)
    expect(spotsLeft(10, 11)).toBe(0)
  })
})
