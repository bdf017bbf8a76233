import { describe, expect, it } from 'vitest'
import { requireOrigin } from '../../../lib/mcp/origin.ts'

const from = (origin?: string) => new Headers(origin === undefined ? {} : { origin })

describe('requireOrigin', () => {
  it.each([
    undefined,
    'https://claude.ai',
    'https://app.example.com:8443',
    'https://xn--bcher-kva.example',
    'https://[2001:db8::1]',
    // The inspector of MCP, and pages of developers.
    'http://localhost:6274',
    'http://127.0.0.1:6274',
    'http://[::1]:6274',
    'http://app.localhost',
    'HTTP://LOCALHOST:3000',
  ])('accepts %s', (origin) => {
    expect(() => requireOrigin(from(origin))).not.toThrow()
  })

  it.each([
    '',
    'null',
    'http://evil.example',
    'http://evil.example:6274',
    'http://192.168.1.5:3000',
    'http://0.0.0.0:8787',
    'http://localhost.evil.example',
    'http://evillocalhost',
    'http://localhost@evil.example',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.1:6274/',
    'https://',
    'https://a.example, http://evil.example',
    'https://a.example http://evil.example',
    'https://user@evil.example',
    'httpss://evil.example',
    'file://',
    'ftp://localhost',
    'data:text/html,a',
    'chrome-extension://bfnaelmomeimhlpmgjnjophhpkkoljpa',
  ])('rejects %j', (origin) => {
    expect(() => requireOrigin(from(origin))).toThrow(expect.objectContaining({ code: 'origin_refused' }))
  })
})
