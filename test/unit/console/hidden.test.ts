import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hiddenProblem } from '../../../lib/console/views/jobs/hidden.ts'
import { hasMisplacedInvisible } from '../../../schema/hidden.ts'
import { PROSE } from '../../../schema/patterns.ts'

const isRefused = (text: string) => !PROSE.test(text) || hasMisplacedInvisible(text)

it.each([
  ['Zero\u200bwidth', 'after “Zero”'],
  ['\ufeffFirst', 'at the beginning'],
  ['A soft\u00adhyphen', 'after “A soft”'],
  ['reversed \u202etext', 'after “reversed”'],
  ['a null\u0000', 'after “a null”'],
  ['lone \u200d joiner', 'after “lone”'],
])('names the place of a hidden character in %j', (text, place) => {
  expect(hiddenProblem(text)).toContain(place)
})

it.each(['Zeile eins\nZeile\tzwei', '👩‍🚀 and ❤️', 'می‌خواهم', 'ക്‍', ''])('accepts %j', (text) => {
  expect(hiddenProblem(text)).toBeUndefined()
})

it('finds what the service refuses, and nothing else', () => {
  const special = ['\u200b', '\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u00ad', '\u2800', '\u0001', '\u0085']
  const others = [
    'a',
    'ب',
    '❤',
    '👩',
    ' ',
    '\u00a0',
    '\n',
    '\t',
    '\r',
    '\u2028',
    '\u{e0061}',
    '\u061c',
    '\u0378',
  ]
  const text = fc.string({ unit: fc.constantFrom(...special, ...others) })
  const any = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(fc.oneof(text, any), (some) => {
      // Of joiners after marks only the service knows which ones it takes.
      fc.pre(!/\p{M}[\u200c\u200d]/u.test(some))
      expect(hiddenProblem(some) !== undefined).toBe(isRefused(some))
    }),
    { numRuns: 2_000 },
  )
})
