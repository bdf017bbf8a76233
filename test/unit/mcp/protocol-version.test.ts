import { describe, expect, it } from 'vitest'
import { META, MODERN_VERSION } from '../../../lib/mcp/protocol.ts'
import { versionKindOf } from '../../../lib/mcp/protocol-version.ts'

const meta = { [META.version]: MODERN_VERSION, [META.capabilities]: {} }
const call = (name: unknown) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  method: 'tools/call',
  params: { name, _meta: meta },
})
const headers = (name: string) =>
  new Headers({ 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': 'tools/call', 'mcp-name': name })

describe('versionKindOf', () => {
  it('returns legacy without a version, modern with one that body and headers share', () => {
    expect(versionKindOf({ jsonrpc: '2.0', id: 1, method: 'ping' }, new Headers())).toBe('legacy')
    expect(versionKindOf(call('end_hire'), headers('end_hire'))).toBe('modern')
    expect(versionKindOf(call('end_hire'), headers(' end_hire '))).toBe('modern')
  })

  it.each([
    ['=?base64?5bCL5om+?=', '尋找'],
    ['=?base64?PT9iYXNlNjQ/YT89?=', '=?base64?a?='],
  ])('reads the name %s as %s', (encoded, name) => {
    expect(versionKindOf(call(name), headers(encoded))).toBe('modern')
  })

  it.each([
    '=?base64?ZW5kX2hpcmU',
    'end_hire, end_hire',
    'END_HIRE',
    '=?base64?ZW5kX2hpcmU?=',
    '=?base64?//8=?=',
  ])('rejects a name that differs from the body: %s', (name) => {
    expect(() => versionKindOf(call('end_hire'), headers(name))).toThrow(
      expect.objectContaining({ code: -32020 }),
    )
  })

  it('leaves it to the method to reject a call without a name', () => {
    expect(versionKindOf(call(1), headers('end_hire'))).toBe('modern')
  })
})
