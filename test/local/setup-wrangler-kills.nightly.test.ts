import { expect, it } from 'vitest'
import {
  DONE,
  endState,
  expectNoSecrets,
  isWranglers,
  killAtEveryCall,
  newCloud,
  setupsOf,
} from '../support/cloud/setups.ts'

it('ends the same when it is killed before any call of wrangler, or after a change', async () => {
  const cloud = await newCloud()
  const setups = setupsOf(cloud)
  expect(await setups.run()).toContain(DONE)
  const expected = endState(cloud)
  // As after a run that was killed before these, one of each kind: with assets, with queues, public.
  for (const group of ['jobs', 'protocols', 'root']) cloud.cloudflare.scripts.delete(`agentcred-${group}`)
  for (const { consumers } of cloud.cloudflare.queues.values()) consumers.length = 0
  // Wrangler makes the same calls for every Worker: the first Worker of each call is enough.
  const ofWorker = (name: string) => name.replace(/(scripts|services|workers)\/agentcred-\w+/, '$1/<worker>')
  const keyOf = (call: { name: string; body: string }) =>
    isWranglers(call) || call.name.startsWith('service') ? ofWorker(call.name) : undefined
  const killed = await killAtEveryCall(cloud, setups, keyOf)
  expect(killed).toBeGreaterThan(25)
  expect(endState(cloud)).toEqual(expected)
  expectNoSecrets(cloud, setups)
})
