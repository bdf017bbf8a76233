import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostOf, isOnHost, isPublicHttpsUrl, isUrl, MAX_URL_LENGTH } from '../../../schema/urls.ts'

const ofLength = (length: number) =>
  `https://example.com/${'a'.repeat(length - 'https://example.com/'.length)}`

describe('a URL', () => {
  it.each([
    ['https://example.com', ['https:']],
    ['http://example.com:8080/path?query#hash', ['http:', 'https:']],
    ['HTTPS://EXAMPLE.COM', ['https:']],
    ['http://localhost:3000', ['http:']],
    ['http://127.0.0.1', ['http:']],
    ['https://bücher.example/ü', ['https:']],
    ['ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/logo.png', ['ipfs:']],
    ['ar://bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U', ['ar:']],
  ])('%s is one', (text, schemes) => {
    expect(isUrl(text, schemes)).toBe(true)
  })

  it.each([
    '',
    ' ',
    'example.com',
    '/path',
    '//example.com',
    'https://',
    'https:',
    'https://exa mple.com',
    'https://[::1',
    'https://example.com:99999',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'ftp://example.com',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://:secret@example.com',
  ])('%j is not a URL of these schemes', (text) => {
    expect(isUrl(text, ['http:', 'https:'])).toBe(false)
  })

  it.each([
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https:////example.com',
    'https://@example.com',
    'https://?@example.com',
    'https:\\\\example.com',
    'https://example.com\\@other.example',
    ' https://example.com',
    'https://example.com ',
    'https://example.com/a b',
    'https://exam\nple.com',
    'ht\ttps://example.com',
  ])('%j, which parsers read differently, is not a URL', (text) => {
    expect(isUrl(text, ['http:', 'https:'])).toBe(false)
    expect(isPublicHttpsUrl(text)).toBe(false)
  })

  it('needs one of the schemes', () => {
    expect(isUrl('http://example.com', ['https:'])).toBe(false)
    expect(isUrl('https://example.com', [])).toBe(false)
  })

  it('has at most 2048 characters', () => {
    expect(MAX_URL_LENGTH).toBe(2048)
    expect(isUrl(ofLength(2048), ['https:'])).toBe(true)
    expect(isUrl(ofLength(2049), ['https:'])).toBe(false)
    expect(isPublicHttpsUrl(ofLength(2048))).toBe(true)
    expect(isPublicHttpsUrl(ofLength(2049))).toBe(false)
  })

  it('is tested without throwing, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((rest) => `https://${rest}`),
        ),
        (text) => {
          if (isPublicHttpsUrl(text)) expect(isUrl(text, ['https:'])).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('a URL that the service may send to', () => {
  it.each([
    'https://example.com',
    'https://example.com/',
    'https://hooks.example.co.uk/a/b?c=d#e',
    'https://example.com:443/hook',
    'https://EXAMPLE.COM/Hook',
    'https://xn--bcher-kva.example',
    'https://bücher.example',
    'https://example.com.',
    'https://1.example.com',
    'https://127.0.0.1.example.com',
    'https://localhost.example.com',
    'https://internal.example.com',
    'https://mylocal.com',
    'https://testing.contest',
    'https://3com.com',
    'https://a.b-c.de',
  ])('may be %s', (text) => {
    expect(isPublicHttpsUrl(text)).toBe(true)
  })

  it.each([
    [
      'no name that a resolver takes',
      ['https://a..example.com', 'https://.example.com', 'https://example.com..', 'https://*.example.com'],
    ],
    [
      'another scheme',
      [
        'http://example.com',
        'javascript:alert(1)',
        'data:text/plain,x',
        'ws://example.com',
        'wss://example.com',
        'ftp://example.com',
        'ipfs://cid',
        'file:///etc/passwd',
        'blob:https://example.com/1',
      ],
    ],
    [
      'another port',
      [
        'https://example.com:444',
        'https://example.com:80',
        'https://example.com:8443',
        'https://example.com:0',
      ],
    ],
    [
      'credentials',
      [
        'https://user@example.com',
        'https://user:secret@example.com',
        'https://:secret@example.com',
        'https://example.com@127.0.0.1',
        'https://127.0.0.1#@example.com',
      ],
    ],
    [
      'an IPv4 address',
      [
        'https://127.0.0.1',
        'https://8.8.8.8',
        'https://10.0.0.1',
        'https://169.254.169.254/latest/meta-data',
        'https://0.0.0.0',
        'https://127.0.0.1.',
        'https://255.255.255.255',
      ],
    ],
    [
      'an IPv4 address in disguise',
      [
        'https://2130706433',
        'https://0x7f000001',
        'https://0x7f.1',
        'https://0x7F.0x0.0x0.0x1',
        'https://0177.0.0.1',
        'https://017700000001',
        'https://127.1',
        'https://127.0.1',
        'https://0',
        'https://１２７.0.0.1',
        'https://127。0。0。1',
        'https://%31%32%37.0.0.1',
        'https://①②⑦.0.0.1',
      ],
    ],
    [
      'an IPv6 address',
      [
        'https://[::1]',
        'https://[::]',
        'https://[fe80::1]',
        'https://[fd00::1]',
        'https://[2001:db8::1]',
        'https://[::ffff:127.0.0.1]',
        'https://[::ffff:7f00:1]',
        'https://[64:ff9b::7f00:1]',
        'https://[::127.0.0.1]',
      ],
    ],
    [
      'no public name',
      [
        'https://localhost',
        'https://LOCALHOST',
        'https://localhost.',
        'https://localhost..',
        'https://localhost。',
        'https://ｌocalhost',
        'https://a.localhost',
        'https://intranet',
        'https://com',
        'https://metadata.google.internal',
        'https://METADATA.google.INTERNAL.',
        'https://db.internal',
        'https://printer.local',
        'https://nas.lan',
        'https://router.home',
        'https://router.home.arpa',
        'https://home.arpa',
        'https://wiki.corp',
        'https://x.private',
        'https://x.intranet',
        'https://localhost.localdomain',
        'https://x.test',
        'https://x.invalid',
        'https://x.onion',
        'https://kubernetes.default.svc.cluster.local',
      ],
    ],
    [
      'a name that no resolver answers for',
      [
        'https://example.com..',
        'https://.',
        'https://..',
        'https://example.1',
        'https://example.0x1',
        'https://example.09',
      ],
    ],
    ['no URL', ['', 'example.com', 'https://', 'https://exa mple.com', 'null']],
  ])('may not have %s', (_what, texts) => {
    expect(texts.filter(isPublicHttpsUrl)).toEqual([])
  })

  it('is not an IPv4 address, in any notation', () => {
    const part = (n: number) => fc.constantFrom(String(n), `0x${n.toString(16)}`, `0${n.toString(8)}`)
    const dotted = fc
      .tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
      .chain((parts) => fc.tuple(...parts.map(part)))
      .map((parts) => parts.join('.'))
    const whole = fc.nat(2 ** 32 - 1).chain(part)
    fc.assert(
      fc.property(
        fc.oneof(dotted, whole, fc.ipV4(), fc.ipV4Extended()),
        fc.constantFrom('', '.', ':443', '/a.b'),
        (host, rest) => {
          expect(isPublicHttpsUrl(`https://${host}${rest}`)).toBe(false)
        },
      ),
    )
  })

  it('is no IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (host) => {
        expect(isPublicHttpsUrl(`https://[${host}]/`)).toBe(false)
      }),
    )
  })

  it('may be any other domain name', () => {
    const privateEnd =
      /\.(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa|test|invalid|onion)$/i
    fc.assert(
      fc.property(fc.domain(), (host) => {
        fc.pre(!privateEnd.test(`.${host}`))
        expect(isPublicHttpsUrl(`https://${host}/hook`)).toBe(true)
      }),
    )
  })
})

describe('the host of a URL', () => {
  it.each(['API.agentcred.example', 'api.agentcred.example'])('is ours for any case of %s', (host) => {
    expect(isOnHost('https://api.AgentCred.example./x', host)).toBe(true)
    expect(isOnHost('https://api.agentcred.example.com/', host)).toBe(false)
  })

  it.each([
    'https://vict%69m.example.com/',
    'https://VICTIM.example.com.:443/?x',
    'https://ｖictim.example.com/a#b',
    'https://vic\u00adtim.example.com/',
  ])('is one text in any notation: %s', (url) => {
    expect(hostOf(url)).toBe('victim.example.com')
  })
})
