import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from '../../../lib/http/validate.ts'
import { canonicalJson } from '../../../lib/keys/canonical-json.ts'
import { digestOf, registrationMessage } from '../../../lib/registry/message.ts'
import { ServiceManifest } from '../../../schema/wire/registry.ts'
import { CANONICAL_MANIFEST, manifest } from '../../support/registry.ts'

const pubkey = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'

describe('the registration message', () => {
  it('is exactly this text without a manifest', () => {
    expect(registrationMessage({ pubkey, timestamp: 1795165200000 })).toBe(
      'AgentCred Agent Registration\n' +
        '\n' +
        'Agent: 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T\n' +
        'Timestamp: 1795165200000\n' +
        '\n' +
        'By signing this message, I certify that I am the owner of this agent keypair and agree to the AgentCred Terms of Service.',
    )
  })

  it('names the deployment in a line after the timestamp, if given', () => {
    const named = registrationMessage({ pubkey, timestamp: 1795165200000 }, 'https://api.example.com')
    const line = 'Service: https://api.example.com\n'
    expect(named).toContain(`Timestamp: 1795165200000\n${line}\nBy signing`)
    expect(named.replace(line, '')).toBe(registrationMessage({ pubkey, timestamp: 1795165200000 }))
  })

  it('has a heading and canonical JSON after two line breaks with a manifest', () => {
    const serviceManifest = parse(ServiceManifest, manifest())
    const plain = registrationMessage({ pubkey, timestamp: 1 })
    expect(registrationMessage({ pubkey, timestamp: 1, serviceManifest })).toBe(
      `${plain}\n\nAgent Service Manifest v1 (operator-declared):\n${CANONICAL_MANIFEST}`,
    )
  })

  it('does not depend on the order of a manifest’s members', () => {
    const shuffle = (object: object) =>
      fc.shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length })
    fc.assert(
      fc.property(shuffle(manifest()), shuffle(Object(manifest().authority)), (members, authority) => {
        const sent = { ...Object.fromEntries(members), authority: Object.fromEntries(authority) }
        const serviceManifest = parse(ServiceManifest, JSON.parse(JSON.stringify(sent)))
        expect(registrationMessage({ pubkey, timestamp: 1, serviceManifest })).toMatch(
          new RegExp(`\\n${CANONICAL_MANIFEST.replace(/[{}]/g, '\\$&')}$`),
        )
      }),
    )
  })
})

describe('canonical JSON', () => {
  it('follows RFC 8785 section 3.2.2', () => {
    const sample = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  it('sorts members by UTF-16 code units, as section 3.2.3 does', () => {
    const sample = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`)
    expect([...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map(([, value]) => value)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it('has one digest for one value', async () => {
    expect(await digestOf({ b: 1, a: [2, { d: 3, c: 4 }] })).toBe(
      await digestOf({ a: [2, { c: 4, d: 3 }], b: 1 }),
    )
    expect(await digestOf({ a: 1 })).not.toBe(await digestOf({ a: '1' }))
    // printf '{}' | sha256sum
    expect(await digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  })
})
