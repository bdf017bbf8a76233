import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Copies what runs to a folder, with the packages linked one by one. Miniflare is copied, too: Node loads a
 * linked package by its real path, and Miniflare is patched by its path (lib/tools/miniflare.ts).
 */
export function copyTo(root: string): void {
  const filter = (path: string) => basename(path) !== 'node_modules'
  for (const folder of ['functions', 'lib', 'migrations', 'schema'])
    cpSync(join(ROOT, folder), join(root, folder), { recursive: true, filter })
  for (const file of ['openapi.json', 'package.json', 'package-lock.json', 'tsconfig.json', 'wrangler.toml'])
    cpSync(join(ROOT, file), join(root, file))
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(root, 'node_modules', name)]
    if (name === 'miniflare') cpSync(from, to, { recursive: true })
    else symlinkSync(from, to)
  }
}
