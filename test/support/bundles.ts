import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import type { Bundle } from '../../lib/cli/deploy/wrangler.ts'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import type { WorkerConfig } from '../../lib/tools/wrangler.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The most that a Worker may have, gzipped, in bytes. */
const WITHOUT_DATABASE = 25_000
const WITH_DATABASE = 116_600
const WITH_TRANSACTIONS = 128_000
/** It checks transactions, and signs and sends them. */
const X402 = 130_000
/** It holds the definitions of its tools, and checks tokens. */
const MCP = 34_500

export function budgetOf({ group, requiredSecrets }: WorkerConfig): number {
  const usual = requiredSecrets.includes('DATABASE_URL') ? WITH_DATABASE : WITHOUT_DATABASE
  return { vault: WITH_TRANSACTIONS, payments: WITH_TRANSACTIONS, x402: X402, mcp: MCP }[group] ?? usual
}

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
