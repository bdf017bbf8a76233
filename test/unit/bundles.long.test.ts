import * as esbuild from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { buildBundle, bundleSize } from '../../lib/cli/deploy/wrangler.ts'
import { readWorkers } from '../../lib/tools/wrangler.ts'
import { bundleOf, MOST_BYTES } from '../support/bundles.ts'

afterAll(() => esbuild.stop())

it.each(readWorkers())(
  'wrangler bundles $group as bundles.test.ts does, within the ceiling',
  async (worker) => {
    const [local, uploaded] = [await bundleOf(worker), buildBundle(worker.group)]
    expect(uploaded.sources.toSorted()).toEqual(local.sources.toSorted())
    expect(uploaded.scripts).toHaveLength(local.scripts.length)
    expect(bundleSize(uploaded) / bundleSize(local)).toBeCloseTo(1, 2)
    expect(bundleSize(uploaded)).toBeLessThan(MOST_BYTES)
  },
)
