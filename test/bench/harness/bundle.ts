import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { WORKERD_BUILD } from '../../../lib/local/bundle.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Bundles a Worker as its deployment has it: minified, without the words of the API description. */
export async function bundleForProduction(main: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    ...WORKERD_BUILD,
    entryPoints: [join(ROOT, main)],
    minify: true,
  })
  const [script] = outputFiles
  if (!script) throw new Error(`nothing was bundled for ${main}`)
  return script.text
}

export { stop as stopCompiler } from 'esbuild'
