import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as esbuild from 'esbuild'
import { buildAssets } from '../description/assets.ts'
import { buildConsole } from '../description/console.ts'
import { readWorkers } from '../wrangler/config.ts'
import type { Build } from './build.ts'
import { bundleWorkers } from './bundle.ts'
import { CONSOLE_FOLDER } from './console.ts'

/** A process of its own that builds what lib/local/build.ts asks for: `<file> <key> <allowLocalWebhooks>`. */
const [file = '', key = '', allowLocalWebhooks] = process.argv.slice(2)
const configs = readWorkers()
const scripts = await bundleWorkers(
  configs.map(({ main }) => main),
  allowLocalWebhooks === 'true',
)
buildAssets()
await buildConsole(CONSOLE_FOLDER, { chain: 'solana:localnet', isLocal: true })
const build: Build = { key, workers: configs.map((config, i) => ({ ...config, script: scripts[i] ?? '' })) }
mkdirSync(dirname(file), { recursive: true })
// In one step, since another process may read it or build the same.
const temporary = `${file}.${process.pid}`
writeFileSync(temporary, JSON.stringify(build))
renameSync(temporary, file)
await esbuild.stop()
