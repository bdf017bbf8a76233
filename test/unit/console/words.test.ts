import { expect, it } from 'vitest'
import { adviceOn, adviceOnRead } from '../../../lib/console/kit/words.ts'
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
