import { expect, it } from 'vitest'
import { announcedAfter } from '../../../lib/transactions/relay/announced.ts'

const START = Date.parse('2026-11-22T10:00:00Z')

it('what is signed is announced once it is recorded, as due five seconds later', async () => {
  let now = START
  const order: unknown[] = []
  const record = async () => {
    now += 7_000
    return 'recorded'
  }
  const announce = async (_kind: string, at: Date) => {
    order.push(at.getTime() - START)
  }
  const recorded = announcedAfter({ clock: () => new Date(now), announce }, async () => {
    // A round that runs now sees nothing of it, and answers without it.
    expect(order).toEqual([])
    return record()
  })
  expect(await recorded).toBe('recorded')
  expect(order).toEqual([12_000])
})

it('what could not be announced fails, though it was recorded', async () => {
  const announce = () => Promise.reject(new Error('no Clock'))
  const deps = { clock: () => new Date(START), announce }
  await expect(announcedAfter(deps, async () => 'recorded')).rejects.toThrow('no Clock')
})

it('what could not be recorded is not announced', async () => {
  const announce = () => Promise.reject(new Error('announced'))
  const deps = { clock: () => new Date(START), announce }
  await expect(announcedAfter(deps, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
