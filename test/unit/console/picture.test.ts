import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LAYERS, layerName } from '../../../lib/console/kit/layers.ts'
import { pictureOf } from '../../../lib/console/kit/picture.ts'
import { layerNames } from '../../../schema/registry.ts'

it('an identifier has one picture, which is an image by itself and small', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const picture = pictureOf(id)
      expect(pictureOf(id)).toBe(picture)
      expect(picture.startsWith('data:image/svg+xml,%3Csvg')).toBe(true)
      expect(picture.length).toBeLessThan(2_000)
      expect(decodeURIComponent(picture)).not.toMatch(/NaN|undefined|script|style=/)
    }),
  )
})

it('draws different pictures for nearly all of 1,000 ids that differ in one digit', () => {
  const ids = Array.from(
    { length: 1_000 },
    (_, n) => `01938f3e-8f6a-7c1e-9d0b-${String(n).padStart(12, '0')}`,
  )
  expect(new Set(ids.map(pictureOf)).size).toBeGreaterThan(990)
})

it('every layer of the marketplace has the name that the catalog gives it', () => {
  for (const layer of LAYERS) {
    const id = layerNames[layer] ?? ''
    expect(layerName(layer).toLowerCase().replaceAll(/[ -]/g, '_')).toContain(id)
  }
  expect(layerName(99)).toBe('Layer 99')
})
