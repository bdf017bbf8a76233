import { describe, expect, it } from 'vitest'
import { cachedForEach, memoized } from '../../../lib/runtime/cache.ts'

/** A function that counts how often it makes something of each text. */
function counted(most: number) {
  const made: string[] = []
  const cached = memoized(most, async (text) => {
    made.push(text)
    if (text === 'bad') throw new Error('bad')
    return { text }
  })
  return { cached, made }
}

describe('memoized', () => {
  it('makes the value of a text once', async () => {
    const { cached, made } = counted(2)
    expect(await cached('a')).toBe(await cached('a'))
    expect(await cached('b')).toEqual({ text: 'b' })
    expect(await cached('a')).toEqual({ text: 'a' })
    expect(made).toEqual(['a', 'b'])
  })

  it('has a limited size: the oldest entry is removed', async () => {
    const { cached, made } = counted(2)
    for (const text of ['a', 'b', 'c', 'c', 'b', 'a']) await cached(text)
    expect(made).toEqual(['a', 'b', 'c', 'a'])
  })

  it('caches no failure', async () => {
    const { cached, made } = counted(2)
    await expect(cached('bad')).rejects.toThrow('bad')
    await expect(cached('bad')).rejects.toThrow('bad')
    expect(made).toEqual(['bad', 'bad'])
  })
})

describe('cachedForEach', () => {
  it('loads each key’s value once in its time to live, and removes the oldest of many', async () => {
    const loads: string[] = []
    const cached = cachedForEach<string>(10, 2)
    const at = (text: string, second: number) =>
      cached(text, new Date(second * 1_000), async () => {
        loads.push(`${text} at ${second}`)
        return text
      })
    for (const second of [0, 9, 10, 19, 5]) expect(await at('a', second)).toBe('a')
    expect(loads).toEqual(['a at 0', 'a at 10', 'a at 5'])
    for (const text of ['b', 'c', 'b', 'a']) await at(text, 6)
    expect(loads.slice(3)).toEqual(['b at 6', 'c at 6', 'a at 6'])
  })

  it('keeps no failure', async () => {
    const cached = cachedForEach<string>(10, 2)
    const fails = () => Promise.reject(new Error('bad'))
    await expect(cached('a', new Date(0), fails)).rejects.toThrow('bad')
    expect(await cached('a', new Date(0), async () => 'good')).toBe('good')
  })
})
