import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packPackages } from '../../lib/cli/client-package.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What the READMEs install beside the packages, with what that needs, by folders of this project. */
const OTHERS = ['@types/react', 'csstype', '@wallet-standard/app', '@wallet-standard/base']
const INSTALLED_OF = {
  19: ['react', 'react-dom', 'scheduler', ...OTHERS].map((name) => `node_modules/${name}`),
  18: [
    ...['react', 'react-dom', 'scheduler'].map((name) => `test/react-18/node_modules/${name}`),
    ...['loose-envify', 'js-tokens', ...OTHERS].map((name) => `node_modules/${name}`),
  ],
}
export type ReactVersion = keyof typeof INSTALLED_OF

/** Runs a program in a folder. @returns what it printed */
export const run = async (folder: string, command: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd: folder })).stdout

/** Packs both packages in a new folder, which the caller deletes. */
export function packedPackages() {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-packages-'))
  return { folder, tarballs: packPackages(folder) }
}

type Packed = ReturnType<typeof packedPackages>

/** Installs the client alone in an empty folder, without a network. @returns the folder */
export const installClient = ({ folder, tarballs }: Packed): Promise<string> =>
  install(join(folder, 'client-alone'), [tarballs.client])

/** Installs both packages and React in an empty folder, without a network. @returns the folder */
export async function installBoth({ folder, tarballs }: Packed, react: ReactVersion): Promise<string> {
  const home = join(folder, `react-${react}`)
  mkdirSync(home)
  const needed = INSTALLED_OF[react].map((path) => join(ROOT, path))
  const args = ['pack', '--json', '--ignore-scripts', '--no-update-notifier', ...needed]
  const packed: { filename: string }[] = JSON.parse(await run(home, 'npm', ...args))
  const all = packed.map(({ filename }) => join(home, filename.replace('@', '').replace('/', '-')))
  return install(home, [...all, tarballs.client, tarballs.react])
}

async function install(home: string, tarballs: string[]): Promise<string> {
  write(join(home, 'package.json'), '{ "type": "module", "private": true }')
  await run(home, 'npm', 'install', '--offline', '--no-audit', '--no-update-notifier', ...tarballs)
  return home
}

/** Writes a file, in folders that need not exist. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/**
 * Saves the files that a Markdown text shows, whose names are in their first lines, and nothing else.
 * @param port of the service that they call, in the place of 8787
 */
export function saveFiles(markdown: string, home: string, port: string): void {
  const text = readFileSync(join(ROOT, markdown), 'utf8')
  for (const [, file = '', name = ''] of text.matchAll(/^```\w+\n((?:\/\/|<!--) (\S+)[\s\S]*?)^```/gm))
    write(join(home, name), file.replaceAll('http://localhost:8787/', `http://localhost:${port}/`))
}
