import { describe, expect, it } from 'vitest'
import { keptOf } from '../../lib/kept.ts'

/** A function that counts how often it makes something of each text. */
function counted(most: number) {
  const made: string[] = []
  const kept = keptOf(most, async (text) => {
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

  it('holds no more than it may: the oldest goes', async () => {
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
