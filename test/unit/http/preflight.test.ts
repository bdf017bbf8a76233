import { expect, it } from 'vitest'
import { allowedHeaders } from '../../../lib/http/preflight.ts'

const OWN = allowedHeaders(null)

it.each([
  ['nothing', '', OWN],
  ['names that are always allowed', 'authorization, CONTENT-TYPE', OWN],
  ['others, each once', 'traceparent,baggage, Traceparent', `${OWN},traceparent,baggage`],
  ['a wildcard, which is a name', '*', `${OWN},*`],
  ['texts that are not names', 'a b,,x:y,"q",é,a\r\nset-cookie: b,baggage', `${OWN},baggage`],
  ['as many as fit', 'a'.repeat(2_048), `${OWN},${'a'.repeat(2_048)}`],
  ['more than fit', `${'a'.repeat(2_048)},b`, OWN],
])('allows the known and the requested headers when a page asks for %s', (_what, asked, allowed) => {
  expect(allowedHeaders(asked)).toBe(allowed)
})
