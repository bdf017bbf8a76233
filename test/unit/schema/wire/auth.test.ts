import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { AuthSubmit, ChallengeQuery } from '../../../../schema/wire/auth.ts'

const answer = (change: object = {}) => ({ nonce: 'n', signature: 's', publicKey: 'p', ...change })
const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success

describe('the answer to a challenge', () => {
  it('is any strings: what does not verify is for the login to refuse', () => {
    const strings = ['', 'x', '😀', 'z'.repeat(60_000)]
    for (const text of strings) {
      expect(accepts(AuthSubmit, { nonce: text, signature: text, publicKey: text })).toBe(true)
    }
  })

  it.each(['nonce', 'signature', 'publicKey'])('needs %s, as text', (field) => {
    for (const value of [undefined, null, 1, true, [], {}]) {
      expect(accepts(AuthSubmit, answer({ [field]: value }))).toBe(false)
    }
  })

  it('may name an agent by up to 64 characters', () => {
    for (const agentId of ['', 'a'.repeat(64), '😀'.repeat(64)])
      expect(accepts(AuthSubmit, answer({ agentId }))).toBe(true)
    for (const agentId of ['a'.repeat(65), '😀'.repeat(65), null, 1]) {
      expect(accepts(AuthSubmit, answer({ agentId }))).toBe(false)
    }
  })

  it('has no other field', () => {
    expect(accepts(AuthSubmit, answer({ publickey: 'p' }))).toBe(false)
  })
})

describe('the query for a challenge', () => {
  it('may name a wallet', () => {
    expect(v.parse(ChallengeQuery, {})).toEqual({})
    expect(v.parse(ChallengeQuery, { publicKey: '1'.repeat(32), other: 'x' })).toEqual({
      publicKey: '1'.repeat(32),
    })
  })

  it('may not name what is no wallet', () => {
    for (const publicKey of ['', '1'.repeat(31), '1'.repeat(33), '0'.repeat(32)]) {
      expect(accepts(ChallengeQuery, { publicKey })).toBe(false)
    }
  })
})
