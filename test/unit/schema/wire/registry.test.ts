import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../lib/api-error.ts'
import { parse } from '../../../../lib/http/validate.ts'
import { RegistrationRequest } from '../../../../schema/wire/registry.ts'
import { manifest, signed } from '../../../support/registry.ts'
import type { Body } from '../../../support/service.ts'

/** The refused fields, with what is said of each. */
function errorsOf(changes: Body): string[] {
  try {
    parse(RegistrationRequest, { ...signed(1), ...changes })
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (error.details.errors ?? []).map(({ path, message }) => `${path} ${message}`)
  }
}
const accepted = (changes: Body) => parse(RegistrationRequest, { ...signed(1), ...changes })

/** Every part of the manifest and what the contract allows it to say. */
const PARTS: Record<string, unknown[]> = {
  version: [1],
  operationMode: ['on_demand', 'continuous', 'hybrid'],
  tenancy: ['single_principal', 'multi_principal_isolated'],
  'authority.credentials': ['per_principal'],
  'authority.state': ['per_principal'],
  'authority.approvals': ['per_principal_transaction_bound'],
  'authority.audit': ['per_principal'],
  'authority.sensitiveActions': ['transaction_specific_review'],
  enterpriseDataBoundary: ['not_applicable', 'minimum_necessary_api', 'company_hosted_no_raw_export'],
  computePolicy: ['disabled', 'non_sensitive_only', 'enterprise_approved_workloads'],
}

/** A manifest with one part set, or left out if undefined. */
function withPart(path: string, value: unknown): Body {
  const [part = '', inner] = path.split('.')
  const whole = inner === undefined ? value : { ...Object(manifest()[part]), [inner]: value }
  return { serviceManifest: JSON.parse(JSON.stringify(manifest({ [part]: whole }))) }
}

describe('a manifest', () => {
  it.each(Object.entries(PARTS).flatMap(([path, values]) => values.map((value) => [path, value] as const)))(
    'may say %s: %s',
    (path, value) => {
      expect(accepted(withPart(path, value)).serviceManifest).toEqual(withPart(path, value).serviceManifest)
    },
  )

  it.each(Object.keys(PARTS))('without %s is refused by that path', (path) => {
    expect(errorsOf(withPart(path, undefined))).toEqual([`serviceManifest.${path} is required`])
  })

  it.each(
    Object.keys(PARTS).flatMap((path) =>
      ['other', '', 2, '1', null, true, {}, []].map((value) => [path, value] as const),
    ),
  )('with the %s %j is refused by that path', (path, value) => {
    const found = errorsOf(withPart(path, value))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^serviceManifest\\.${path.replace('.', '\\.')} must be `))
  })

  it('with a part that there is not is refused by its path', () => {
    expect(errorsOf(withPart('uptime', '99.9'))).toEqual([
      'serviceManifest.uptime is not a field of this request',
    ])
    expect(errorsOf(withPart('authority.root', 'per_principal'))).toEqual([
      'serviceManifest.authority.root is not a field of this request',
    ])
  })

  it('without its authority, or that is no object, is refused by its path', () => {
    expect(errorsOf(withPart('authority', undefined))).toEqual(['serviceManifest.authority is required'])
    expect(errorsOf({ serviceManifest: 'v1' })).toEqual(['serviceManifest must be an object'])
    expect(errorsOf({ serviceManifest: null })).toEqual(['serviceManifest must be an object'])
  })
})

describe('a registration', () => {
  it.each(['name', 'pubkey', 'signature', 'timestamp', 'agentType', 'capabilities', 'feeModel'])(
    'without %s is refused by name',
    (field) => {
      expect(errorsOf({ [field]: undefined })).toEqual([`${field} is required`])
    },
  )

  it.each<[string, unknown[]]>([
    ['name', ['', ' ', 'a'.repeat(65), 'a\nb', 1]],
    ['pubkey', ['', '0', '1'.repeat(31), 'x'.repeat(44), 1]],
    ['signature', [1, null]],
    ['timestamp', [1.5, -1, '1', 2 ** 53, null]],
    ['agentType', ['autonomous', 'Personal', '']],
    ['feeModel', ['hybrid', '']],
    ['feeAmount', [-1, -0.001, '1', 2 ** 53, null]],
    ['capabilities', [[], 'shopping', Array(101).fill('shopping')]],
    [
      'capabilities.1',
      [
        ['shopping', 'cooking'],
        ['gaming', 23],
      ],
    ],
    ['description', ['a'.repeat(2001), 'a\u0000', 'a\u202e', '\ud800', 1]],
    ['website', ['example.com', 'ftp://example.com', 'javascript:alert(1)', '']],
    ['logoUrl', ['ipfs://bafy', 'https://user:pass@example.com']],
    ['apiEndpoint', ['mcp://example.com', 'https:example.com']],
    ['developerPubkey', ['nobody', '']],
    ['contactEmail', ['nobody', 'a@b', 'a b@example.com', 'a@example.com, b@example.com', '']],
  ])('with an impossible %s is refused by that path', (path, values) => {
    for (const value of values) {
      const found = errorsOf({ [path.split('.')[0] ?? '']: value })
      expect(
        found.map((error) => error.split(' ')[0]),
        JSON.stringify(value),
      ).toEqual([path])
    }
  })

  it.each<[string, unknown, unknown]>([
    ['name', '  Keeper ', 'Keeper'],
    ['name', '😀'.repeat(64), '😀'.repeat(64)],
    ['capabilities', ['gaming', 'shopping', 'gaming'], ['gaming', 'shopping']],
    ['feeAmount', 0, 0],
    ['feeAmount', 0.1, 0.1],
    ['feeAmount', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['description', 'a\n\tb'.repeat(500), 'a\n\tb'.repeat(500)],
    ['website', 'http://localhost:3000/x', 'http://localhost:3000/x'],
    ['contactEmail', 'first.last+tag@mail.example.com', 'first.last+tag@mail.example.com'],
  ])('may have the %s %j', (field, sent, kept) => {
    expect(accepted({ [field]: sent })).toHaveProperty(field, kept)
  })

  it('with a field that there is not is refused by name', () => {
    expect(errorsOf({ webhookUrl: 'https://example.com' })).toEqual([
      'webhookUrl is not a field of this request',
    ])
  })
})
