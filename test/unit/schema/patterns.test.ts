import { expect, it } from 'vitest'
import { trimmedTextPattern } from '../../../schema/patterns.ts'

it.each([
  [1, 2],
  [1, 60],
  [2, 5],
  [3, 3],
  [5, 100],
])('a text of %i to %i characters may have white space around it, and no other length', (min, max) => {
  const pattern = new RegExp(trimmedTextPattern(min, max), 'u')
  for (let length = 0; length <= max + 5; length++)
    for (const [text, around] of [
      ['a'.repeat(length), ''],
      ['😀'.repeat(length), ''],
      ['a'.repeat(length), '  '],
    ])
      expect(pattern.test(`${around}${text}${around}`), `${length}`).toBe(length >= min && length <= max)
})

it('counts the white space within a text', () => {
  const pattern = new RegExp(trimmedTextPattern(1, 5), 'u')
  expect([' a   b ', 'a    b', 'a\tb'].map((text) => pattern.test(text))).toEqual([true, false, false])
})
