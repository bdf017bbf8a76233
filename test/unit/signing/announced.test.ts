import { expect, it } from 'vitest'
import { announcedBeside } from '../../../lib/signing/relay/announced.ts'

const START = Date.parse('2026-11-22T10:00:00Z')

/** A clock that stands still but for what passes while something is recorded. */
function scene(recordingMs: number) {
  let now = START
  const announced: number[] = []
  const deps = {
    clock: () => new Date(now),
    announce: async (_kind: string, at: Date) => {
      announced.push(at.getTime() - START)
    },
  }
  const record = async () => {
    await Promise.resolve()
    now += recordingMs
    return 'recorded'
  }
  return { deps, announced, record }
}

it('what is recorded within five seconds is announced once, beside the write', async () => {
  const { deps, announced, record } = scene(4_999)
  expect(await announcedBeside(deps, record)).toBe('recorded')
  expect(announced).toEqual([5_000])
})

it('what is recorded later than the round that was announced is announced again', async () => {
  const { deps, announced, record } = scene(7_000)
  await announcedBeside(deps, record)
  expect(announced).toEqual([5_000, 12_000])
})

it('what could not be announced fails, though it was recorded', async () => {
  const { deps, record } = scene(10)
  const announce = () => Promise.reject(new Error('no Clock'))
  await expect(announcedBeside({ ...deps, announce }, record)).rejects.toThrow('no Clock')
})
