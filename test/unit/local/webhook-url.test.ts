import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWebhookUrl as isLocalWebhookUrl } from '../../../lib/local/webhook-url.ts'
import { isWebhookUrl } from '../../../schema/webhook-url.ts'

const onThisMachine = [
  'http://localhost',
  'http://localhost/',
  'http://LOCALHOST/hook',
  'http://localhost:80/',
  'http://localhost:8080/hook?a=b#c',
  'http://localhost:1',
  'http://localhost:65535',
  'http://127.0.0.1',
  'http://127.0.0.1:3000/hook',
]

describe('a webhook with ALLOW_LOCAL_WEBHOOKS=1', () => {
  it.each(onThisMachine)('may be %s, which is refused without it', (text) => {
    expect(isLocalWebhookUrl(text)).toBe(true)
    expect(isWebhookUrl(text)).toBe(false)
  })

  it('may be 127.0.0.1 in any notation that the URL parser accepts', () => {
    for (const host of ['127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.0.0.1.']) {
      expect(isLocalWebhookUrl(`http://${host}:3000/`)).toBe(true)
      expect(isWebhookUrl(`http://${host}:3000/`)).toBe(false)
    }
  })

  it.each([
    ['https on this machine', ['https://localhost', 'https://127.0.0.1', 'https://localhost:8443']],
    [
      'another scheme',
      ['ws://localhost', 'ftp://localhost', 'file://localhost/etc/passwd', 'javascript:alert(1)'],
    ],
    [
      'credentials',
      [
        'http://user@localhost',
        'http://user:secret@127.0.0.1:3000',
        'http://:secret@localhost',
        'http://localhost@example.com',
        'http://example.com@localhost',
      ],
    ],
    [
      'another address of loopback or of any private network',
      [
        'http://127.0.0.2',
        'http://127.255.255.254',
        'http://0.0.0.0',
        'http://0',
        'http://10.0.0.1',
        'http://172.16.0.1',
        'http://192.168.0.1:8080',
        'http://169.254.169.254/latest/meta-data',
      ],
    ],
    [
      'an IPv6 address',
      [
        'http://[::1]',
        'http://[::1]:3000',
        'http://[::]',
        'http://[0:0:0:0:0:0:0:1]',
        'http://[::ffff:127.0.0.1]',
        'http://[::ffff:7f00:1]',
        'http://[::127.0.0.1]',
        'http://[64:ff9b::7f00:1]',
        'http://[fe80::1]',
      ],
    ],
    [
      'another name',
      [
        'http://localhost.',
        'http://localhost..',
        'http://a.localhost',
        'http://localhost.localdomain',
        'http://localhost.example.com',
        'http://127.0.0.1.example.com',
        'http://notlocalhost',
        'http://metadata.google.internal',
        'http://printer.local',
        'http://router',
      ],
    ],
    ['http elsewhere', ['http://example.com', 'http://example.com:443', 'http://8.8.8.8']],
    [
      'what parsers take for different things',
      [
        'http:localhost',
        'http:/localhost',
        'http:\\\\localhost',
        'http://localhost\\@example.com',
        ' http://localhost',
        'http://local\thost',
        'http://localhost:99999',
        'localhost:3000',
        '//localhost',
      ],
    ],
  ])('may not have %s', (_what, texts) => {
    expect(texts.filter(isLocalWebhookUrl)).toEqual([])
  })

  it('is either on this machine or allowed without it', () => {
    const host = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.domain(), fc.constant('localhost'))
    const port = fc.nat(70_000).map((number) => `:${number}`)
    fc.assert(
      fc.property(fc.constantFrom('http', 'https'), host, fc.oneof(fc.constant(''), port), (...parts) => {
        const [scheme, name, suffix] = parts
        const text = `${scheme}://${name}${suffix}/hook`
        const isLocal =
          scheme === 'http' && ['localhost', '127.0.0.1'].includes(URL.parse(text)?.hostname ?? '')
        expect(isLocalWebhookUrl(text)).toBe(isLocal || isWebhookUrl(text))
      }),
    )
  })

  it('is never an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (host) => {
        expect(isLocalWebhookUrl(`http://[${host}]:3000/`)).toBe(false)
      }),
    )
  })
})
