import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { WORKERD_BUILD } from '../../lib/local/bundle.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { type Declaring, textsOf } from './statement-texts.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Replaces lib/db/statement.ts, and records the statements that are declared through it. */
const RECORDING = `
import { read as declareRead, statement as declare } from 'the real one'
export const recorded = []
const recording = (make) => (declared, build) => {
  recorded.push({ make, declared, build })
  return make(declared, build)
}
export const read = recording(declareRead)
export const statement = recording(declare)
export { optional } from 'the real one'`

/** So that a bundle has the declarations alone that the Worker can reach: their arguments have no effects. */
const unusedIsDropped = (text: string): string =>
  text.replace(
    /^((?:export )?const \w+ = )((?:\/\* @__PURE__ \*\/ )?\w+(?:<\{[\s\S]*?\}>\(\))?\((?:.*\)|[\s\S]*?\n[})\]]*\)))$/gm,
    '$1/* @__PURE__ */ (() => $2)()',
  )

const plugin: esbuild.Plugin = {
  name: 'recording',
  setup(build) {
    const real = join(ROOT, 'lib/db/statement.ts')
    build.onResolve({ filter: /^the real one$/ }, () => ({ path: real }))
    build.onResolve({ filter: /\/statement\.ts$/ }, () => ({ path: 'statement', namespace: 'recording' }))
    build.onLoad({ filter: /.*/, namespace: 'recording' }, () => ({ contents: RECORDING, resolveDir: ROOT }))
    build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: 'workerd' }))
    build.onLoad({ filter: /.*/, namespace: 'workerd' }, () => ({
      contents: 'export class WorkerEntrypoint {}; export class DurableObject {}; export const env = {}',
    }))
    build.onLoad({ filter: /(queries|deletion|functions)\.ts$/ }, ({ path }) => ({
      contents: unusedIsDropped(readFileSync(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** The texts of all statements that a Worker can send to its database, in all their shapes. */
export async function statementsOf(group: string): Promise<string[]> {
  const { outputFiles, metafile } = await esbuild.build({
    metafile: true,
    ...WORKERD_BUILD,
    stdin: {
      contents: `import * as worker from './functions/${group}/index.ts'
export { recorded } from './lib/db/statement.ts'
export const exported = [worker]`,
      resolveDir: ROOT,
    },
    // Node has no cloudflare:*.
    external: ['node:*'],
    plugins: [plugin],
  })
  const script = outputFiles[0]?.text ?? ''
  const bundle: { recorded: { make: Declaring; declared: object; build: object }[] } = await import(
    `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
  )
  const sources = Object.keys(metafile.inputs)
  const texts = bundle.recorded.flatMap(({ make, declared, build }) => textsOf(make, declared, build))
  // What a session's statements stand behind (lib/db/session.ts).
  const assertion = `select ${API_SCHEMA}.assert_session($1::text, $2::integer)`
  return sources.includes('lib/http/session.ts') ? [...texts, assertion] : texts
}
