import { expect, it } from 'vitest'
import { type OfferState, offerHandler } from '../../../../lib/cli/example/offer.ts'

const OURS = 'http://localhost:8787'

/** A handler in a state, and how often it has begun to fill. */
function offerIn(state: OfferState) {
  let begun = 0
  const fill = () => {
    begun += 1
  }
  const handle = offerHandler({ origins: () => [OURS], current: async () => state, fill })
  const ask = (method: string, origin?: string) =>
    handle(new Request('http://127.0.0.1/', { method, headers: origin ? { origin } : {} }))
  return { ask, begun: () => begun }
}

it('fills an empty market once it is asked to by the console', async () => {
  const { ask, begun } = offerIn({ state: 'offered' })
  expect(await (await ask('GET', OURS)).json()).toEqual({ state: 'offered' })
  expect(begun()).toBe(0)
  expect((await ask('POST', OURS)).status).toBe(200)
  expect(begun()).toBe(1)
})

it('refuses pages of other origins, and requests without an Origin', async () => {
  const { ask, begun } = offerIn({ state: 'offered' })
  for (const origin of ['https://evil.example', 'http://localhost:8788', 'null', undefined])
    expect((await ask('POST', origin)).status).toBe(403)
  expect(begun()).toBe(0)
})

it.each<OfferState>([
  { state: 'taken' },
  { state: 'made' },
  { state: 'failed' },
  { state: 'filling', day: 3, days: 33 },
])('begins nothing when it is $state', async (state) => {
  const { ask, begun } = offerIn(state)
  expect((await ask('POST', OURS)).status).toBe(409)
  expect(begun()).toBe(0)
})

it('begins once when it is asked twice at once', async () => {
  const { ask, begun } = offerIn({ state: 'offered' })
  const answers = await Promise.all([ask('POST', OURS), ask('POST', OURS)])
  expect(answers.map(({ status }) => status)).toEqual([200, 409])
  expect(begun()).toBe(1)
})
