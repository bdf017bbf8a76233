import { describe, expect, it } from 'vitest'
import { REJECTIONS, REMEDIES } from '../../../lib/x402/resources/codes.ts'
import { documentOf, type ResourceDocument } from '../../../lib/x402/resources/document.ts'
import { isOnRoute, routeOf } from '../../../lib/x402/resources/route.ts'
import { checkSchema } from '../../../lib/x402/resources/schema-check.ts'
import { requestResourceCodes } from '../../../schema/values.ts'
import { bazaarOf } from '../../support/listing.ts'

describe('a price’s name', () => {
  it.each([
    ['GET /forecast/:city', 'https://Api.example.com:443/v1?x', 'https://api.example.com/forecast/:city'],
    ['POST /a/[id]/*', 'https://a.example.com', 'https://a.example.com/a/[id]/*'],
    ['forecast', 'https://a.example.com', 'price_not_a_route'],
    ['OPTIONS /a', 'https://a.example.com', 'price_not_a_route'],
    ['GET /a?b=1', 'https://a.example.com', 'price_not_a_route'],
    ['GET /a#b', 'https://a.example.com', 'price_not_a_route'],
    ['GET /a/../b', 'https://a.example.com', 'price_not_a_route'],
    ['GET /a/%2e%2e/b', 'https://a.example.com', 'price_not_a_route'],
    ['GET /ä', 'https://a.example.com', 'price_not_a_route'],
    ['GET /a\\b', 'https://a.example.com', 'price_not_a_route'],
    ['GET /x402/k/a', 'https://a.example.com', 'price_not_a_route'],
    ['GET //evil.example.com/', 'https://a.example.com', 'https://a.example.com//evil.example.com/'],
    ['GET /a', 'http://a.example.com', 'no_endpoint'],
    ['GET /a', 'https://a.example.com:8443', 'no_endpoint'],
    ['GET /a', 'https://user@a.example.com', 'no_endpoint'],
    ['GET /a', 'https://127.0.0.1', 'no_endpoint'],
    ['GET /a', null, 'no_endpoint'],
  ])('%s at %s is %s', (name, endpoint, expected) => {
    const route = routeOf(name, endpoint)
    expect(typeof route === 'string' ? route : route.url).toBe(expected)
  })

  it.each([
    ['/forecast/paris', '/forecast/:city', true],
    ['/forecast/paris/', '/forecast/:city', true],
    ['/forecast/paris', '/forecast/[city]', true],
    ['/forecast/', '/forecast/:city', false],
    ['/forecast/paris/today', '/forecast/:city', false],
    ['/other/paris', '/forecast/:city', false],
    ['/', '/', true],
  ])('has the path %s on %s: %s', (path, template, expected) => {
    expect(isOnRoute(path, template)).toBe(expected)
  })
})

describe('checkSchema', () => {
  it.each<[unknown, unknown, string]>([
    [true, 1, 'valid'],
    [false, 1, 'invalid'],
    [{}, {}, 'valid'],
    [{ type: 'object', required: ['a'] }, {}, 'invalid'],
    [{ type: ['string', 'null'] }, null, 'valid'],
    [{ type: 'integer' }, 1.5, 'invalid'],
    [{ const: { a: [1] } }, { a: [1] }, 'valid'],
    [{ const: { a: [1] } }, { a: [2] }, 'invalid'],
    [{ enum: ['a', null] }, null, 'valid'],
    [{ enum: [] }, 1, 'invalid'],
    [{ properties: { a: { type: 'string' } }, additionalProperties: false }, { a: 'x' }, 'valid'],
    [{ properties: { a: { type: 'string' } }, additionalProperties: false }, { b: 1 }, 'invalid'],
    [{ additionalProperties: { type: 'number' } }, { b: 'x' }, 'invalid'],
    [{ required: ['toString'] }, {}, 'invalid'],
    [{ additionalProperties: false }, { toString: 1 }, 'invalid'],
    [JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), JSON.parse('{"__proto__":1}'), 'invalid'],
    [{ items: { maximum: 2 } }, [1, 2, 3], 'invalid'],
    [{ minItems: 1, maxItems: 2 }, [], 'invalid'],
    [{ minLength: 2, maxLength: 2 }, '👍👍', 'valid'],
    [{ exclusiveMinimum: 1 }, 1, 'invalid'],
    [{ minimum: 1, maximum: 1 }, 1, 'valid'],
    [{ maxProperties: 0 }, { a: 1 }, 'invalid'],
    [{ pattern: '^(a+)+$', format: 'email', title: 'x' }, `${'a'.repeat(40)}!`, 'valid'],
    [{ $ref: '#' }, 1, 'undecided'],
    [{ $ref: 'https://evil.example.com/' }, 1, 'undecided'],
    [{ anyOf: [{}] }, 1, 'undecided'],
    [{ constructor: {} }, 1, 'undecided'],
    [{ properties: { a: { not: {} } } }, {}, 'undecided'],
    [{ type: 'thing' }, 1, 'undecided'],
    [{ minLength: -1 }, 'a', 'undecided'],
    [{ maximum: Number.NaN }, 1, 'undecided'],
    [[], 1, 'undecided'],
    [null, 1, 'undecided'],
    [{ enum: Array(3_000).fill(1) }, 2, 'undecided'],
    [{ items: {} }, Array(3_000).fill(1), 'undecided'],
  ])('finds %j with %j %s', (schema, value, expected) => {
    expect(checkSchema(schema, value)).toBe(expected)
  })

  it('ends at a depth of twelve, and without running out of stack', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { items: nested(depth - 1) })
    expect(checkSchema(nested(12), 1)).toBe('valid')
    expect(checkSchema(nested(13), 1)).toBe('undecided')
    let deep: object = {}
    for (let depth = 0; depth < 100_000; depth += 1) deep = { items: deep }
    expect(checkSchema(deep, 1)).toBe('undecided')
  })
})

describe('the document of a route', () => {
  const documented = (resource: object, bazaar: unknown = bazaarOf('GET')) => {
    const made = documentOf({ resource, extensions: { bazaar } }, 'GET')
    return typeof made === 'string' ? made : (JSON.parse(made.document) as ResourceDocument)
  }

  it('has texts as published facilitators take them, and a description of 500 characters', () => {
    const tags = ['weather', 'Weather', '', 'ä', 'x'.repeat(33), 'a', 'b', 'c', 'd', 'e']
    const description = `${'👩‍🚀'.repeat(200)}`
    const made = documented({ description, mimeType: 'text/html; x', serviceName: 'Sky', tags, iconUrl: 'x' })
    expect(made).toEqual({
      description: '👩‍🚀'.repeat(166),
      serviceName: 'Sky',
      tags: ['Weather', 'a', 'b', 'c', 'd'],
      info: bazaarOf('GET').info,
      schema: bazaarOf('GET').schema,
    })
    expect(documented({ serviceName: 'x'.repeat(33), mimeType: 5, description: '' })).not.toHaveProperty(
      'serviceName',
    )
  })

  it('leaves out a schema that can not be checked, and takes any part of the path', () => {
    const { info, schema } = bazaarOf('GET')
    expect(documented({}, { info, schema: { ...schema, allOf: [] } })).toEqual({ info })
    expect(documented({}, { info })).toEqual({ info })
    const named = { ...info, input: { ...info.input, pathParams: { city: ':city' } } }
    const city = { type: 'object', properties: { city: { enum: ['paris'] } } }
    const own = { properties: { input: { properties: { pathParams: city } } } }
    expect(documented({}, { info: named, schema: own })).toEqual({ info: named, schema: own })
  })

  it.each([
    ['not_declared', {}, undefined],
    ['not_declared', {}, { info: [] }],
    ['not_declared', {}, { info: { input: { type: 'mcp' } } }],
    ['not_declared', {}, { info: { input: { type: 'http' } }, schema: { required: ['output'] } }],
    ['unsafe_text', { description: 'a\u200bb' }, undefined],
    ['unsafe_text', { serviceName: '/X402/K/abc' }, undefined],
    ['unsafe_text', {}, { info: { input: { type: 'http', '\u202e': 1 } } }],
    ['unsafe_text', {}, { info: { input: { type: 'http', a: '\ud800' } } }],
    ['too_large', {}, { info: { input: { type: 'http', a: 'é'.repeat(4_100) } } }],
  ])('is %s', (expected, resource, bazaar) => {
    const declaration = bazaar ?? (expected === 'not_declared' ? undefined : bazaarOf('GET'))
    expect(documentOf({ resource, extensions: { bazaar: declaration } }, 'GET')).toBe(expected)
  })

  it('is too large when it is deeply nested', () => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep]
    expect(documented({}, { info: { input: { type: 'http', deep } } })).toBe('too_large')
  })
})

it('has a sentence in ASCII and a remedy for every code', () => {
  expect(Object.keys(REMEDIES).sort()).toEqual([...requestResourceCodes].sort())
  for (const sentence of Object.values(REJECTIONS)) expect(sentence).toMatch(/^[\x20-\x7e]+\.$/)
})
