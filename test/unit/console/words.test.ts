import { expect, it } from 'vitest'
import { adviceOn, adviceOnRead, forReaders } from '../../../lib/console/kit/words.ts'
import { toSign } from '../../../lib/vault/transactions/wording.ts'
import { type ErrorCode, errors } from '../../../schema/errors.ts'

it('says what to do about each error, in a sentence', () => {
  const wordless = (Object.keys(errors) as ErrorCode[]).filter((code) => !/^[A-Z].*\.$/.test(adviceOn(code)))
  expect(wordless).toEqual([])
})

it('asks to check the last action after a write, and not after a read', () => {
  expect(adviceOn('dependency_unavailable')).toMatch('last action')
  expect(adviceOnRead('dependency_unavailable')).toBe('Try again in a minute.')
  expect(adviceOnRead('agent_not_found')).toBe(adviceOn('agent_not_found'))
})

it('asks the user to reload when an error is newer than the page', () => {
  expect(adviceOn('newer_than_this')).toMatch('Reload this page')
})

it('says what signing does and costs, not which operation to call', () => {
  const said = 'Signing locks 250 CRED. It costs 0.0000052 SOL network fee.'
  expect(forReaders(toSign(said, 'wallet_first'))).toBe(said)
  expect(
    forReaders(
      'Signing pays 2 CRED. Sign it and send it to POST /payments/transactions within five minutes.',
    ),
  ).toBe('Signing pays 2 CRED.')
  expect(forReaders('Signing locks it until 2026-11-29T09:48:11.000Z and no longer.')).not.toMatch(/T09|Z /)
})
