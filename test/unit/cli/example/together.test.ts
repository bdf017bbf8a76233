import { expect, it } from 'vitest'
import { Together } from '../../../../lib/cli/example/together.ts'

it('moves the clock once for all that wait, and not while one is at work', async () => {
  const log: string[] = []
  const together = new Together(async () => {
    log.push('time passes')
  })
  let finish = () => {}
  const work = new Promise<void>((resolve) => {
    finish = resolve
  })
  const flow = (name: string, before: Promise<void>) =>
    together.run(async () => {
      await before
      log.push(`${name} waits`)
      await together.sleep()
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
  const together = new Together(async () => {})
  const waiting = together.run(() => together.sleep())
  await expect(together.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await waiting
})

it('fails what waits when the clock does not move', async () => {
  const together = new Together(() => Promise.reject(new Error('no chain')))
  await expect(together.run(() => together.sleep())).rejects.toThrow('no chain')
})
