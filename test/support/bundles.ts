import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import type { Bundle } from '../../lib/cli/deploy/wrangler.ts'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import type { WorkerConfig } from '../../lib/tools/wrangler.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * The most that a Worker may have, gzipped, in bytes. A larger one starts slower, and its users wait.
 * Payments is the largest: it builds, checks and settles the transactions of hires and jobs.
 */
export const MOST_BYTES = 120_000

/** No source changes while the tests of a process run. */
const bundles = new Map<string, Promise<Bundle>>()

/**
 * Bundles a Worker as wrangler does for a deployment, in a tenth of the time: wrangler takes two seconds of
 * CPU to load. test/unit/bundles.long.test.ts checks that both bundles are the same.
 */
export function bundleOf({ group, main }: Pick<WorkerConfig, 'group' | 'main'>): Promise<Bundle> {
  const bundle = bundles.get(group) ?? makeBundle(main)
  bundles.set(group, bundle)
  return bundle
}

async function makeBundle(main: string): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild.build({
    ...WORKERD_BUILD,
    absWorkingDir: ROOT,
    entryPoints: [relative(ROOT, main)],
    minify: true,
    metafile: true,
  })
  return { scripts: outputFiles.map(({ text }) => text), sources: Object.keys(metafile.inputs) }
}
