import { expect, it } from 'vitest'
import type { Event } from '../../../lib/client/index.ts'
import { parseJson, writeJson } from '../../../lib/client/json.ts'
import { placeOf } from '../../../lib/console/addresses.ts'
import { ofAgent, ofHire, ofKinds } from '../../../lib/console/live/about.ts'
import { MAX_KNOWN, newsOf, unreadOf, withEvent } from '../../../lib/console/live/follow.ts'
import { createPace } from '../../../lib/console/live/listeners.ts'
import { sentenceOf } from '../../../lib/console/live/texts.ts'
import { CHARGE_ID, OTHER_WALLET, WALLET } from '../../../schema/examples.ts'
import { exampleOf } from '../../../schema/wire/event.ts'
import { eventTypes } from '../../../schema/wire/event-types/table.ts'

/** As the client gives it: its amounts are bigint. */
const received = (type: (typeof eventTypes)[number]) => parseJson(writeJson(exampleOf(type))) as Event

const numbered = (count: number, first = 0): Event[] =>
  Array.from({ length: count }, (_, i) => ({
    ...received('endpoint.test'),
    id: `event ${first + count - i}`,
  }))

it('describes every type of event to each side, with a view that shows more', () => {
  for (const type of eventTypes)
    for (const own of [WALLET, OTHER_WALLET]) {
      const { text, view } = sentenceOf(received(type), own)
      expect([type, text]).toEqual([type, expect.stringMatching(/^[A-Z0-9].*\.$/)])
      expect([type, text]).not.toEqual([type, expect.stringMatching(/undefined|null|NaN|\[object/)])
      expect([type, view, placeOf(view)]).toEqual([type, view, expect.anything()])
      // It names what it is about.
      if ('agentId' in exampleOf(type).data)
        expect([type, text]).toEqual([type, expect.stringContaining('Yield Scout')])
    }
})

it('shows each side what it did and what was done to it, with exact amounts', () => {
  const recorded = received('charge.recorded')
  const charge = { ...recorded, data: { ...recorded.data, amount: 9_007_199_254_740_993n } } as Event
  expect(sentenceOf(charge, WALLET)).toEqual({
    text: 'Yield Scout charged you 9,007,199.254740993 CRED for job-1042.',
    view: `charges/${CHARGE_ID}`,
  })
  expect(sentenceOf(charge, OTHER_WALLET).text).toMatch(
    /^Yield Scout charged \w{4}…\w{4} 9,007,199.254740993 CRED/,
  )
  const ended = received('hire.terminated')
  expect(sentenceOf(ended, WALLET).text).toBe('You ended your hire of Yield Scout.')
  expect(sentenceOf(ended, OTHER_WALLET).text).toMatch(/^The hirer ended the hire of Yield Scout by /)
})

it('says of an ended job what waits for each side, for the agent’s owner after the fee', () => {
  const ended = received('job.ended')
  const textOf = (agentAmount: bigint, hirerAmount: bigint, own: string) =>
    sentenceOf({ ...ended, data: { ...ended.data, agentAmount, hirerAmount } } as Event, own).text
  const CRED = 1_000_000_000n
  expect(textOf(5n * CRED, 0n, OTHER_WALLET)).toBe('A job for Yield Scout has ended: collect 4.95 CRED.')
  expect(textOf(5n * CRED, 0n, WALLET)).toBe('Your job for Yield Scout has ended: the agent gets 5 CRED.')
  expect(textOf(0n, 3n * CRED, WALLET)).toBe('Your job for Yield Scout has ended: get back 3 CRED.')
  expect(textOf(0n, 3n * CRED, OTHER_WALLET)).toBe(
    'A job for Yield Scout has ended: the hirer gets back 3 CRED.',
  )
  const posted = sentenceOf(received('job.posted'), OTHER_WALLET).text
  expect(posted).toMatch(/^\w{4}…\w{4} orders a job from Yield Scout for 20 CRED\. Accept it by .*2026.*\.$/)
})

it('says what got access, by the kind of the connection', () => {
  const granted = received('access.granted')
  const textOf = (data: object) =>
    sentenceOf({ ...granted, data: { ...granted.data, ...data } } as Event, WALLET).text
  const end = 'If that wasn’t you, end the connection.'
  expect(textOf({ kind: 'app' })).toBe(`You connected “Yield Desk” (app.example.com). ${end}`)
  expect(textOf({ kind: 'token', host: undefined })).toBe(`You created the token “Yield Desk”. ${end}`)
  expect(textOf({ kind: 'key', host: undefined })).toBe(
    `You allowed the agent “Yield Desk” to log in with its own key. ${end}`,
  )
})

it('shows the name of a type that is newer than the page', () => {
  const newer = { ...received('endpoint.test'), type: 'agent.paid' } as unknown as Event
  expect(sentenceOf(newer, WALLET)).toEqual({ text: 'agent.paid.', view: '' })
})

it('lists the latest, newest first, and counts unread ones from the last seen', () => {
  const known = numbered(MAX_KNOWN)
  const [next] = numbered(1, 100) as [Event]
  const after = withEvent(known, next)
  expect(after.map(({ id }) => id)).toEqual([next, ...known.slice(0, -1)].map(({ id }) => id))
  expect(unreadOf(known, known[0]?.id ?? '')).toBe(0)
  expect(unreadOf(after, known[0]?.id ?? '')).toBe(1)
  expect(unreadOf(after, known.at(-1)?.id ?? '')).toBe(MAX_KNOWN)
  expect(unreadOf([], '')).toBe(0)
  expect(unreadOf(numbered(3), '')).toBe(3)
})

it('shows only new events after a pause, and says when there may be more', () => {
  const latest = numbered(MAX_KNOWN)
  expect(newsOf(latest, latest[0]?.id)).toEqual([])
  expect(newsOf(latest, latest[2]?.id)).toEqual(latest.slice(0, 2))
  expect(newsOf(latest, 'long ago')).toBeUndefined()
  expect(newsOf(numbered(3), undefined)).toHaveLength(3)
})

it('a part of a view hears of its own agent, its own hire and its own kinds alone', () => {
  const hired = received('hire.created')
  const { agentId, hireId } = hired.data as { agentId: string; hireId: string }
  expect(ofAgent(agentId, 'hire')(hired)).toBe(true)
  expect(ofAgent(agentId, 'charge', 'rating')(hired)).toBe(false)
  expect(ofAgent('another', 'hire')(hired)).toBe(false)
  expect(ofHire(hireId, 'charge', 'hire')(hired)).toBe(true)
  expect(ofHire('another', 'hire')(hired)).toBe(false)
  expect(ofKinds('vault', 'hire')(hired)).toBe(true)
  expect(ofKinds('vault')(hired)).toBe(false)
})

it('a busy log is acted on ever more seldom; after a rest at once', () => {
  const pace = createPace()
  let acts = 0
  let at = 0
  for (; at < 10 * 60_000; acts++) {
    at += pace.waitMs(at)
    pace.acted(at)
  }
  expect(acts).toBeLessThan(25)
  expect(pace.waitMs(at)).toBe(30_000)
  at += 60_000
  expect(pace.waitMs(at)).toBe(300)
  pace.acted(at)
  expect(pace.waitMs(at)).toBe(2_000)
})
