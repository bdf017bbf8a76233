import canonicalize from 'canonicalize'

/**
 * Writes canonical JSON (RFC 8785): one text for one value, in any order of its members.
 * @throws TypeError for a value that JSON can not write
 */
export function canonicalJson(value: object): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('this value has no JSON')
  return text
}
