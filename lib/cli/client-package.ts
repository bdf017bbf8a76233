import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'
import { readableJson } from '../tools/description/text.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The published packages, by their folders in lib: @agentcred/client, @agentcred/react. */
const PACKAGES = ['client', 'react'] as const
type PackageName = (typeof PACKAGES)[number]

/**
 * Builds a package, ready to be packed: ES modules with source maps and types, package.json, README, licence.
 * @param folder absolute; its content is replaced
 * @throws Error with the compiler's output
 */
export function buildPackage(name: PackageName, folder: string): void {
  const source = join(ROOT, 'lib', name)
  const compiled = mkdtempSync(join(tmpdir(), 'agentcred-package-'))
  try {
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['-p', source, '--outDir', compiled], { cwd: ROOT, encoding: 'utf8' })
    rmSync(folder, { recursive: true, force: true })
    cpSync(join(compiled, name), folder, { recursive: true })
  } finally {
    rmSync(compiled, { recursive: true })
  }
  for (const file of globSync('**/noble.js', { cwd: folder })) bundle(join(folder, file))
  for (const file of globSync('**/*.{js,d.ts}', { cwd: folder })) rewrite(join(folder, file), withImports)
  for (const file of globSync('**/*.js.map', { cwd: folder })) rewrite(join(folder, file), withoutPaths)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), `${readableJson(published(manifest))}\n`)
  for (const file of globSync('{README,reference}.md', { cwd: source }))
    copyFileSync(join(source, file), join(folder, file))
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/**
 * Builds and packs both packages.
 * @param folder absolute; each package is built in a folder in it
 * @returns the paths of the tarballs
 */
export function packPackages(folder: string): Record<PackageName, string> {
  mkdirSync(folder, { recursive: true })
  const pack = (name: PackageName): string => {
    const built = join(folder, name)
    buildPackage(name, built)
    const args = ['pack', '--json', '--no-update-notifier', '--pack-destination', folder]
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: built, encoding: 'utf8' }))
    return join(folder, packed.filename)
  }
  return { client: pack('client'), react: pack('react') }
}

/**
 * Puts the packages that a module imports into the module, with their licences: the published packages have
 * no dependencies.
 */
const bundle = (file: string): unknown =>
  buildSync({
    entryPoints: [file],
    outfile: file,
    allowOverwrite: true,
    nodePaths: [join(ROOT, 'node_modules')],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    sourcemap: true,
    legalComments: 'inline',
  })

const rewrite = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

/** Imports another package by its name. The compiler rewrites imports in modules, but not in their types. */
const withImports = (text: string): string =>
  text
    .replace(/(?<=from ')\.\.\/client\/index\.(?:js|ts)(?=')/g, '@agentcred/client')
    .replace(/(?<=from '\.{1,2}\/[^']+)\.ts(?=')/g, '.js')

/** Removes this machine's paths from a source map, which contains its source. */
function withoutPaths(text: string): string {
  const map = JSON.parse(text)
  return JSON.stringify({ ...map, sources: map.sources.map((path: string) => basename(path)) })
}

type Manifest = { version: string; dependencies?: Record<string, string>; devDependencies?: unknown }

/**
 * Returns the manifest to publish. Both packages have one version, so the hooks need the client from it on.
 */
function published({ devDependencies: _, ...manifest }: Manifest): object {
  const { dependencies, version } = manifest
  return dependencies ? { ...manifest, dependencies: { '@agentcred/client': `^${version}` } } : manifest
}

/** `npm run package`: packs both packages into dist, where `npm publish` takes the tarballs. */
if (import.meta.main) for (const path of Object.values(packPackages(join(ROOT, 'dist')))) console.log(path)
