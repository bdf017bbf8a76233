import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Bundles Workers for workerd as wrangler would, each inside the local wrapper.
 * @param mains absolute paths of the Workers' entry modules
 * @returns the scripts, in the same order
 */
export async function bundleWorkers(mains: string[]): Promise<string[]> {
  const scripts = await Promise.all(mains.map(bundleWorker))
  // Frees the 390 MB of the compiler's own process; a later build starts it again.
  await esbuild.stop()
  return scripts
}

/** How workerd wants a bundle, whoever asks for one. */
export const WORKERD_BUILD = {
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  logLevel: 'error',
} as const satisfies esbuild.BuildOptions

async function bundleWorker(main: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `import { wrapped } from './lib/local/worker-wrapper.ts'
import worker from './${relative(ROOT, main)}'
export * from './${relative(ROOT, main)}'
export default wrapped(worker)`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    ...WORKERD_BUILD,
  })
  const [script] = outputFiles
  if (!script) throw new Error(`nothing was bundled for ${main}`)
  return script.text
}
