import { describe, expect, it } from 'vitest'
import { createMeter, metered } from '../../lib/meter.ts'

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

describe('a metered binding', () => {
  it('works as before, and every call counts, the failed ones too', async () => {
    const meter = createMeter()
    const binding = metered(new Binding(), 'kv', meter)
    expect(meter.counts()).toEqual({})
    expect(binding.get()).toBe('kept')
    await binding.put('other')
    expect(binding.get()).toBe('other')
    expect(() => binding.fail()).toThrow('refused')
    expect(binding.name).toBe('binding')
    expect(meter.counts()).toEqual({ kv: 4 })
  })

  it('counts into its own meter alone', () => {
    const [first, second] = [createMeter(), createMeter()]
    const binding = new Binding()
    metered(binding, 'kv', first).get()
    metered(binding, 'queue', second).get()
    expect([first.counts(), second.counts()]).toEqual([{ kv: 1 }, { queue: 1 }])
  })
})
