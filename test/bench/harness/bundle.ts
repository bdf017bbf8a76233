import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { WORKERD_BUILD } from '../../../lib/local/bundle.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Bundles a Worker as its deployment has it: minified. A Worker of peers has all of Neon's driver. */
export const bundleForProduction = (main: string): Promise<string> =>
  bundled({ entryPoints: [join(ROOT, main)], ...(main.startsWith('test/') && { alias: {} }) })

/**
 * Bundles a module given as text; its imports are read from the repository's root. Packages give their
 * modules for browsers: @solana/kit's for workerd need Node. Peers have all of Neon's driver.
 */
export const bundleText = (contents: string): Promise<string> =>
  bundled({ stdin: { contents, resolveDir: ROOT, loader: 'ts' }, conditions: ['browser'], alias: {} })

async function bundled(
  entry: Pick<esbuild.BuildOptions, 'entryPoints' | 'stdin' | 'conditions' | 'alias'>,
): Promise<string> {
  const { outputFiles } = await esbuild.build({ ...WORKERD_BUILD, ...entry, minify: true })
  const [script] = outputFiles
  if (!script) throw new Error('nothing was bundled')
  return script.text
}

export { stop as stopCompiler } from 'esbuild'
