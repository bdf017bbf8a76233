import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { writeDriver } from '../tools/driver.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Bundles Workers for workerd as wrangler would, each inside the local wrapper.
 * @param mains the Workers' entry modules
 * @param allowLocalWebhooks allows webhooks on this machine
 * @returns the scripts, in the same order
 */
export async function bundleWorkers(mains: Main[], allowLocalWebhooks: boolean): Promise<string[]> {
  const plugins = [localModule('injected'), ...(allowLocalWebhooks ? [localModule('webhook-url')] : [])]
  return Promise.all(mains.map((main) => bundleWorker(main, plugins)))
}

/**
 * A Worker's entry module: its absolute path, the Durable Objects that it exports, and whether it exports the
 * entrypoint Tools.
 */
type Main = { path: string; objects: string[]; hasTools?: boolean }

/** esbuild's options for workerd, in deployments, tests and the local platform. */
export const WORKERD_BUILD = {
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  // As in wrangler.toml.
  alias: { '@neondatabase/serverless': writeDriver(ROOT) },
  logLevel: 'error',
  minifySyntax: true,
  // Miniflare's start time grows with the square of the scripts' size. Names stay, for readable stacks.
  minifyWhitespace: true,
} as const satisfies esbuild.BuildOptions

/** Replaces a module by the one in this folder with its name, since production has no setting for it. */
const localModule = (name: string): esbuild.Plugin => ({
  name: `local-${name}`,
  setup(build) {
    build.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, () => ({
      path: join(import.meta.dirname, `${name}.ts`),
    }))
  },
})

async function bundleWorker({ path, objects, hasTools }: Main, plugins: esbuild.Plugin[]): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `import { wrapped, wrappedObject, wrappedTools } from './lib/local/worker-wrapper.ts'
import worker, * as entry from './${relative(ROOT, path)}'
export * from './${relative(ROOT, path)}'
${objects.map((name) => `export const ${name} = wrappedObject(entry.${name})`).join('\n')}
${hasTools ? 'export const Tools = wrappedTools(entry.Tools)' : ''}
export { LocalClock } from './lib/local/worker-wrapper.ts'
export default wrapped(worker)`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    ...WORKERD_BUILD,
    plugins,
  })
  const [script] = outputFiles
  if (!script) throw new Error(`nothing was bundled for ${path}`)
  return script.text
}
