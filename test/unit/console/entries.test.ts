import { expect, it } from 'vitest'
import { placeOf } from '../../../lib/console/addresses.ts'
import { directly, matching, SECTIONS } from '../../../lib/console/frame/entries.ts'

const entry = (label: string) => ({ label, kind: 'Page', view: label })

const labels = (text: string, ...among: string[]) =>
  matching(among.map(entry), text).map(({ label }) => label)

it('finds what has each word, first what begins with the text', () => {
  expect(labels('re', 'Hires', 'Register an agent', 'Reputation')).toEqual([
    'Register an agent',
    'Reputation',
    'Hires',
  ])
  expect(labels(' AGENT  reg ', 'Agents', 'Register an agent')).toEqual(['Register an agent'])
  expect(labels('', 'Hires', 'Agents')).toEqual(['Hires', 'Agents'])
  expect(labels('nope', 'Hires')).toEqual([])
})

it('shows at most ten entries', () => {
  expect(labels('a', ...Array.from({ length: 30 }, (_, n) => `a${n}`))).toHaveLength(10)
})

it.each([
  ['', []],
  ['tide & time', ['market?q=tide+%26+time']],
  ['01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d', ['agents/01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d']],
  [
    '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    [
      'reputation/4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
      'market?q=4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    ],
  ],
])('leads from the text %j to where it names', (text, views) => {
  expect(directly(text).map(({ view }) => view)).toEqual(views)
})

it('leads to sections that have an address', () => {
  expect(SECTIONS.filter(({ view }) => placeOf(view) === undefined)).toEqual([])
})
