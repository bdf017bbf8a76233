import canonicalize from 'canonicalize'

/**
 * Serializes a value to canonical JSON (RFC 8785), which does not depend on the order of members.
 * @throws TypeError for a value that JSON can not represent
 */
export function canonicalJson(value: object): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('this value has no JSON form')
  return text
}
