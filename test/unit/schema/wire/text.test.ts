import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isUrl } from '../../../../schema/urls.ts'
import { Name, Prose, Query } from '../../../../schema/wire/text.ts'

const MAX_LENGTH = 200
const name = Name(1, MAX_LENGTH)
const prose = Prose(MAX_LENGTH)

/** What both say of a text of one line. */
function errorOf(text: string): string | undefined {
  const said = [name, prose].map(
    (schema) => v.safeParse(schema, text, { abortPipeEarly: true }).issues?.[0].message,
  )
  expect(said[0], JSON.stringify(text)).toBe(said[1])
  return said[0]
}
const INVISIBLE = expect.stringMatching(/^must not contain invisible characters/)

const [ZWNJ, ZWJ, AS_TEXT, AS_EMOJI] = ['\u200c', '\u200d', '\ufe0e', '\ufe0f']
const EXCEPTED = [ZWNJ, ZWJ, AS_TEXT, AS_EMOJI]

/** Default_Ignorable_Code_Point as Unicode 17 lists it (DerivedCoreProperties.txt), without bidi controls. */
const IGNORABLE = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200d],
  [0x2060, 0x2065],
  [0x206a, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
] as const
/** Braille's empty pattern, interlinear annotation, hieroglyphs' controls and blanks, the headless note. */
const BLANK = [
  [0x2800, 0x2800],
  [0xfff9, 0xfffb],
  [0x13430, 0x13442],
  [0x1d159, 0x1d159],
] as const
const inRanges = (ranges: readonly (readonly [number, number])[]) =>
  ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
  )
const unseen = inRanges([...IGNORABLE, ...BLANK]).filter((character) => !EXCEPTED.includes(character))

describe('a text that others read', () => {
  it('has no invisible character at any position', () => {
    expect(unseen.length).toBeGreaterThan(4_000)
    for (const character of unseen) {
      // White space is taken from the ends of a name, U+FEFF with it.
      for (const text of [`a${character}b`, `a${character}`, `❤${AS_EMOJI}${character}${ZWJ}🔥`])
        if (character !== '\ufeff' || text.length > 2)
          expect([text, errorOf(text)]).toEqual([text, INVISIBLE])
    }
  })

  it.each([
    ...['\u3164', '\u2800', '\u115f', '\u1160', '\uffa0', '\u200b', '\u00ad', '\u034f', ...EXCEPTED],
    '\u{e0041}\u{e0042}',
    '\u{1d159}',
    '\u{13441}',
    ZWNJ + ZWJ,
    ` ${ZWJ} `,
    `\u3164 \u2800`,
  ])('is not of %j alone', (text) => {
    expect(errorOf(text)).toEqual(INVISIBLE)
  })

  it('may be empty if it has several lines', () => {
    expect([v.is(prose, ''), v.is(name, '')]).toEqual([true, false])
  })

  it.each([' ', '\u00a0', '\u2003', '\u3000\u1680', '\u2028', '\u0301', '\ue000', '\u{10ffff}'])(
    'is not without a visible character: %j',
    (text) => {
      for (const schema of [name, prose]) expect(v.is(schema, text)).toBe(false)
    },
  )

  it('has no controls, not even those that reverse its direction', () => {
    const controls = inRanges([
      [0, 8],
      [0xb, 0xc],
      [0xe, 0x1f],
      [0x7f, 0x9f],
      [0x61c, 0x61c],
      [0x200e, 0x200f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ])
    for (const control of controls)
      for (const schema of [name, prose, Query(1, 9)])
        expect(v.is(schema, `a${control}b`), control).toBe(false)
  })

  it.each([
    'می‌خواهم',
    'ශ්‍රී ලංකා',
    'র‍্যাব',
    // Words that end in a joiner, after a virama: Malayalam, Bengali, Sinhala, Hindi, Khmer, Chakma.
    `\u0d05\u0d35\u0d28\u0d4d${ZWJ}`,
    `\u0d05\u0d35\u0d28\u0d4d${ZWJ} \u0d05\u0d35\u0d30\u0d4d${ZWJ}, 2`,
    `\u0989\u09a4\u09cd${ZWJ}`,
    `\u0d9a\u0dca${ZWJ}`,
    `\u0915\u094d${ZWNJ}!`,
    `\u1780\u17d2${ZWNJ}`,
    `\u{11107}\u{11133}${ZWJ}`,
    '❤️',
    'I ❤️ agents',
    '❤️‍🔥 and 👁️‍🗨️',
    '👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🏴‍☠️',
    '1️⃣ #️⃣ ☠︎ ©️',
    '🇨🇭 🇬🇧',
    'e\u0301\u0323',
    '한국어 ภาษาไทย தமிழ் עברית العربية',
    '﷽',
  ])('may be %s', (text) => {
    expect(errorOf(text)).toBeUndefined()
    expect(v.parse(name, text)).toBe(text)
  })

  it.each([
    ['two joiners after a virama', `\u0d28\u0d4d${ZWJ}${ZWJ}`],
    ['another invisible character after a virama', '\u0d28\u0d4d\u200b'],
    ['a joiner at the end, after a letter of a script with viramas', `\u0d28${ZWJ}`],
    ['a joiner at the end, after a vowel sign', `\u0d28\u0d41${ZWNJ}`],
    ['a joiner at the beginning', `${ZWJ}a`],
    ['a joiner at the end', `a${ZWNJ}`],
    ['a joiner before a space', `a${ZWNJ} b`],
    ['a joiner after a space', `a ${ZWJ}b`],
    ['two joiners', `a${ZWNJ}${ZWJ}b`],
    ['a selector at the beginning', `${AS_EMOJI}a`],
    ['a selector after a space', `a ${AS_EMOJI}b`],
    ['two selectors', `❤${AS_EMOJI}${AS_TEXT}`],
    ['a selector after a joiner', `a${ZWJ}${AS_EMOJI}b`],
    ['another selector', 'a\ufe00'],
    ['a selector of the supplement', '😀\u{e0100}'],
    [
      'the flag of England, which is made of tags',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
  ])('has no %s', (_what, text) => {
    expect(errorOf(text)).toEqual(INVISIBLE)
  })

  /** Letters, signs and emoji, and marks after them. */
  const visible = fc
    .tuple(
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 1 })
        .filter((text) => /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text)),
      fc.constantFrom('', '\u0301'),
    )
    .map(([base, mark]) => base + mark)
    .filter((text) => !unseen.some((character) => text.includes(character)))

  it('is any of visible characters, each with a selector, and joined by one joiner', () => {
    const shown = fc.tuple(visible, fc.constantFrom('', AS_TEXT, AS_EMOJI)).map((parts) => parts.join(''))
    const texts = fc
      .tuple(fc.array(fc.tuple(shown, fc.constantFrom('', ' ', ZWNJ, ZWJ)), { maxLength: 20 }), shown)
      .map(([parts, end]) => parts.flat().join('') + end)
    fc.assert(
      fc.property(texts, (text) => v.parse(name, text) === text && v.parse(prose, text) === text),
      { numRuns: 500 },
    )
  })

  it('has variation selectors after visible characters and joiners between them only', () => {
    const hidden = new Set([...unseen, ...EXCEPTED])
    const shows = (character = ' ') =>
      /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character) && !hidden.has(character)
    const isHonest = (text: string) =>
      [...text].every((character, at, all) => {
        const before = all[at - 1]
        if (character === AS_TEXT || character === AS_EMOJI) return shows(before)
        if (character !== ZWNJ && character !== ZWJ) return !hidden.has(character)
        const isSelected = before === AS_TEXT || before === AS_EMOJI
        return shows(isSelected ? all[at - 2] : before) && shows(all[at + 1])
      })
    const pieces = fc.oneof(
      visible,
      fc.constantFrom(' ', '\n', ...EXCEPTED, ...EXCEPTED, '\u{e0041}', '\u3164'),
    )
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 9 }),
        (list) => v.is(prose, `x ${list.join('')}`) === isHonest(list.join('')),
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('a text to search by', () => {
  it('may end in a joiner, since the next letter is not typed yet', () => {
    for (const text of ['می‌', 'a\u00adb', '🏴\u{e0067}']) expect(v.parse(Query(1, 9), text)).toBe(text)
    for (const text of ['', ' \u3000', 'a\0', 'a'.repeat(10)]) expect(v.is(Query(1, 9), text)).toBe(false)
  })
})

describe('a URL', () => {
  it('has no invisible character, not even between others', () => {
    for (const character of [...unseen, ...EXCEPTED])
      for (const url of [`https://a.example/${character}b`, `https://a${character}b.example/`])
        expect(isUrl(url, ['https:']), JSON.stringify(url)).toBe(false)
    expect(isUrl('https://a.example/❤/%EF%B8%8F', ['https:'])).toBe(true)
  })
})
