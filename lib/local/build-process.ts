import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as esbuild from 'esbuild'
import { buildAssets } from '../tools/description/assets.ts'
import { buildConsole } from '../tools/description/console.ts'
import { readWorkers } from '../tools/wrangler.ts'
import { ASSETS_FOLDER, type Build, FILES_KEY, filesKey } from './build.ts'
import { bundleWorkers } from './bundle.ts'
import { CONSOLE_FOLDER } from './console.ts'

/** Builds the Workers for lib/local/build.ts in a separate process: `<file> <key> <allowLocalWebhooks>`. */
const [file = '', key = '', allowLocalWebhooks] = process.argv.slice(2)
mkdirSync(dirname(file), { recursive: true })
const configs = readWorkers()
const scripts = await bundleWorkers(
  configs.map(({ main, objects, hasTools }) => ({ path: main, objects, hasTools })),
  allowLocalWebhooks === 'true',
)
// Both builds of the Workers serve the same files, so don't remove files that another process serves.
if (filesKey() !== key) {
  buildAssets(ASSETS_FOLDER)
  await buildConsole(CONSOLE_FOLDER, { chain: 'solana:localnet', isLocal: true })
  writeFileSync(FILES_KEY, key)
}
// A deployment's assets are in the folder of wrangler.toml, and may lack pages that it does not offer.
for (const { group, options } of configs)
  if (group === 'root' && options.assets) Object.assign(options.assets, { directory: ASSETS_FOLDER })
const build: Build = { key, workers: configs.map((config, i) => ({ ...config, script: scripts[i] ?? '' })) }
// Replace in one step, since another process may read the file or build the same.
const temporary = `${file}.${process.pid}`
writeFileSync(temporary, JSON.stringify(build))
renameSync(temporary, file)
await esbuild.stop()
