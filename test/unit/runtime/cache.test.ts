import { describe, expect, it } from 'vitest'
import { cachedForEach, memoized } from '../../../lib/runtime/cache.ts'

/** A function that counts how often it makes something of each text. */
function counted(most: number) {
  const made: string[] = []
  const kept = memoized(most, async (text) => {
    made.push(text)
    if (text === 'bad') throw new Error('bad')
    return { text }
  })
  return { kept, made }
}

describe('keptOf', () => {
  it('makes the value of a text once', async () => {
    const { kept, made } = counted(2)
    expect(await kept('a')).toBe(await kept('a'))
    expect(await kept('b')).toEqual({ text: 'b' })
    expect(await kept('a')).toEqual({ text: 'a' })
    expect(made).toEqual(['a', 'b'])
  })

  it('has a limited size: the oldest entry is removed', async () => {
    const { kept, made } = counted(2)
    for (const text of ['a', 'b', 'c', 'c', 'b', 'a']) await kept(text)
    expect(made).toEqual(['a', 'b', 'c', 'a'])
  })

  it('keeps no failure', async () => {
    const { kept, made } = counted(2)
    await expect(kept('bad')).rejects.toThrow('bad')
    await expect(kept('bad')).rejects.toThrow('bad')
    expect(made).toEqual(['bad', 'bad'])
  })
})

describe('keptForEach', () => {
  it('loads each key’s value once in its time to live, and removes the oldest of many', async () => {
    const loads: string[] = []
    const kept = cachedForEach<string>(10, 2)
    const at = (text: string, second: number) =>
      kept(text, new Date(second * 1_000), async () => {
        loads.push(`${text} at ${second}`)
        return text
      })
    for (const second of [0, 9, 10, 19, 5]) expect(await at('a', second)).toBe('a')
    expect(loads).toEqual(['a at 0', 'a at 10', 'a at 5'])
    for (const text of ['b', 'c', 'b', 'a']) await at(text, 6)
    expect(loads.slice(3)).toEqual(['b at 6', 'c at 6', 'a at 6'])
  })

  it('keeps no failure', async () => {
    const kept = cachedForEach<string>(10, 2)
    const fails = () => Promise.reject(new Error('bad'))
    await expect(kept('a', new Date(0), fails)).rejects.toThrow('bad')
    expect(await kept('a', new Date(0), async () => 'good')).toBe('good')
  })
})
