import { expect, it } from 'vitest'
import { amountWords, CRED, PERCENT } from '../../../lib/console/kit/amounts.ts'
import { adviceOn, adviceOnRead, fieldSentence, spelled } from '../../../lib/console/kit/words.ts'
import { type ErrorCode, errors } from '../../../schema/errors.ts'

it('says what to do about each error, in a sentence', () => {
  const wordless = (Object.keys(errors) as ErrorCode[]).filter((code) => !/^[A-Z].*\.$/.test(adviceOn(code)))
  expect(wordless).toEqual([])
})

it('asks to check the last action after a write, and not after a read', () => {
  expect(adviceOn('dependency_unavailable')).toMatch('last action')
  expect(adviceOnRead('dependency_unavailable')).toMatch('refreshes by itself')
  expect(adviceOnRead('agent_not_found')).toBe(adviceOn('agent_not_found'))
})

it('asks the user to reload when an error is newer than the page', () => {
  expect(adviceOn('newer_than_this')).toMatch('Reload this page')
})

it.each([
  ['Period in days', 'must be at most 365', undefined, 'Period in days must be at most 365.'],
  ['Name (optional)', 'must have at least 3 characters', undefined, 'Name must have at least 3 characters.'],
  ['Layers', 'must have at least 1 entry', undefined, 'Choose at least one.'],
  ['Amount in CRED', 'must be at least 1000000000', CRED, 'Amount must be at least 1 CRED.'],
  ['Percentage', 'must be at most 10000', PERCENT, 'Percentage must be at most 100 percent.'],
])('says at the field %s that it %s', (label, message, unit, sentence) => {
  const wordsOf = unit && ((amount: bigint) => amountWords(amount, unit))
  expect(fieldSentence(label, message, wordsOf)).toBe(sentence)
})

it('spells the name of a field that the page does not have', () => {
  expect(spelled('expiresInDays')).toBe('Expires in days')
  expect(spelled('prices.0.amount')).toBe('Prices 0 amount')
  expect(spelled('')).toBe('The request')
})
