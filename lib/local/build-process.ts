import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import { buildAssets } from '../tools/description/assets.ts'
import { buildConsole } from '../tools/description/console.ts'
import { readWorkers } from '../tools/wrangler.ts'
import { ASSETS_FOLDER, type Build } from './build.ts'
import { bundleWorkers } from './bundle.ts'
import { CONSOLE_FOLDER } from './console.ts'

/** A process of its own that builds what lib/local/build.ts asks for: `<file> <key> <allowLocalWebhooks>`. */
const [file = '', key = '', allowLocalWebhooks] = process.argv.slice(2)
mkdirSync(dirname(file), { recursive: true })
const configs = readWorkers()
const scripts = await bundleWorkers(
  configs.map(({ main, objects }) => ({ path: main, objects })),
  allowLocalWebhooks === 'true',
)
// Both builds of the Workers serve the same files: what another process serves is not taken away from it.
const stamp = join(dirname(file), 'files.key')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== key) {
  buildAssets(ASSETS_FOLDER)
  await buildConsole(CONSOLE_FOLDER, { chain: 'solana:localnet', isLocal: true })
  writeFileSync(stamp, key)
}
// A deployment's are in the folder of wrangler.toml: they may lack what it does not offer.
for (const { group, options } of configs)
  if (group === 'root' && options.assets) Object.assign(options.assets, { directory: ASSETS_FOLDER })
const build: Build = { key, workers: configs.map((config, i) => ({ ...config, script: scripts[i] ?? '' })) }
// In one step, since another process may read it or build the same.
const temporary = `${file}.${process.pid}`
writeFileSync(temporary, JSON.stringify(build))
renameSync(temporary, file)
await esbuild.stop()
