import { expect, it } from 'vitest'
import { ChainWaits } from '../../../../lib/cli/example/chain-waits.ts'

it('moves the clock once for all that wait, and not while one is at work', async () => {
  const log: string[] = []
  const chainWaits = new ChainWaits(async () => {
    log.push('time passes')
  })
  let finish = () => {}
  const work = new Promise<void>((resolve) => {
    finish = resolve
  })
  const flow = (name: string, before: Promise<void>) =>
    chainWaits.run(async () => {
      await before
      log.push(`${name} waits`)
      await chainWaits.sleep()
      log.push(`${name} ends`)
    })
  const flows = [flow('one', Promise.resolve()), flow('two', work)]
  await new Promise((resolve) => setImmediate(resolve))
  expect(log).toEqual(['one waits'])
  finish()
  await Promise.all(flows)
  expect(log).toEqual(['one waits', 'two waits', 'time passes', 'one ends', 'two ends'])
})

it('wakes waiting workers when the last active one fails', async () => {
  const chainWaits = new ChainWaits(async () => {})
  const waiting = chainWaits.run(() => chainWaits.sleep())
  await expect(chainWaits.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await waiting
})

it('fails what waits when the clock does not move', async () => {
  const chainWaits = new ChainWaits(() => Promise.reject(new Error('no chain')))
  await expect(chainWaits.run(() => chainWaits.sleep())).rejects.toThrow('no chain')
})
