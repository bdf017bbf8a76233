import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readableJson } from '../tools/description/text.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCE = join(ROOT, 'lib/client')

/**
 * Builds the client's package, ready to be packed or published: ES modules with their types, package.json,
 * README and licence.
 * @param folder absolute; files that are there give way
 * @throws Error with the compiler's words
 */
export function buildClientPackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  execFileSync(tsc, ['-p', SOURCE, '--outDir', folder], { cwd: ROOT, encoding: 'utf8' })
  // The compiler rewrites imports in modules, not in their types.
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const types = join(folder, name)
    const text = readFileSync(types, 'utf8')
    writeFileSync(types, text.replace(/(?<=from '\.{1,2}\/[^']+)\.ts(?=')/g, '.js'))
  }
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), `${readableJson(manifest)}\n`)
  copyFileSync(join(SOURCE, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/** `npm run package`: builds the client's package in dist/client, from where npm publishes it. */
if (import.meta.main) buildClientPackage(join(ROOT, 'dist/client'))
