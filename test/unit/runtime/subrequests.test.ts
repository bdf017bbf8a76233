import { describe, expect, it } from 'vitest'
import { countCalls, createSubrequestCounter } from '../../../lib/runtime/subrequests.ts'

/** As the runtime's bindings: its methods work on itself alone. */
class Binding {
  #kept = 'kept'
  readonly name = 'binding'
  get() {
    return this.#kept
  }
  async put(value: string) {
    this.#kept = value
  }
  fail(): never {
    throw new Error('refused')
  }
}

describe('a binding with counted subrequests', () => {
  it('works as before, and every call counts, the failed ones too', async () => {
    const subrequests = createSubrequestCounter()
    const binding = countCalls(new Binding(), 'kv', subrequests)
    expect(subrequests.counts()).toEqual({})
    expect(binding.get()).toBe('kept')
    await binding.put('other')
    expect(binding.get()).toBe('other')
    expect(() => binding.fail()).toThrow('refused')
    expect(binding.name).toBe('binding')
    expect(subrequests.counts()).toEqual({ kv: 4 })
  })

  it('counts into its own subrequests alone', () => {
    const [first, second] = [createSubrequestCounter(), createSubrequestCounter()]
    const binding = new Binding()
    countCalls(binding, 'kv', first).get()
    countCalls(binding, 'queue', second).get()
    expect([first.counts(), second.counts()]).toEqual([{ kv: 1 }, { queue: 1 }])
  })
})
