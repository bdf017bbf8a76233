import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where generators are installed and what they write is compiled: kept from run to run, not in git. */
export const WORKSHOP = join(import.meta.dirname, '../../dist/generators')

const PYTHON = join(WORKSHOP, 'python/bin')

/** Runs a program in a folder of the workshop. Returns what it printed. */
export function run(folder: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: join(WORKSHOP, folder),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // Looked up by the shebangs of what is installed: this Node, and the workshop's Python.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${PYTHON}:${process.env.PATH}` },
  })
  if (status === 0) return stdout
  const tail = `${stdout}${stderr}`.trim().slice(-2_000)
  throw new Error(`${command} ${args[0] ?? ''} ended with ${error?.message ?? status}:\n${tail}`)
}

/** Runs a program that a package of the workshop brings. */
export const runNpm = (folder: string, name: string, ...args: string[]): string =>
  run(folder, join(WORKSHOP, 'npm/node_modules/.bin', name), ...args)
export const runPython = (folder: string, name: string, ...args: string[]): string =>
  run(folder, join(PYTHON, name), ...args)

/** Writes a file of the workshop. */
export function write(path: string, text: string): void {
  const file = join(WORKSHOP, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Deletes a file or folder of the workshop. */
export const remove = (path: string): void => rmSync(join(WORKSHOP, path), { recursive: true, force: true })

/** What the machine must have, and how to see that it has. */
const NEEDED = [
  { name: 'Go 1.26', command: 'go', args: ['version'] },
  {
    name: 'Python 3.11 with venv',
    command: 'python3',
    args: ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'],
  },
  { name: 'npm', command: 'npm', args: ['--version'] },
]

/** @throws Error that names every program that the machine has not */
export function checkMachine(): void {
  const missing = NEEDED.filter(({ command, args }) => spawnSync(command, args).status !== 0)
  if (missing.length === 0) return
  throw new Error(`Install ${missing.map(({ name }) => name).join(' and ')}: the generators need it.`)
}

/** Installs the generators in the pinned versions, unless they are there. */
export function install(): void {
  mkdirSync(WORKSHOP, { recursive: true })
  step('npm', ['package.json', 'package-lock.json'], () => run('npm', 'npm', 'ci', '--ignore-scripts'))
  step('pip', ['requirements.txt'], () => {
    run('.', 'python3', '-m', 'venv', '--clear', 'python')
    runPython('pip', 'pip', 'install', '--quiet', '--requirement', 'requirements.txt')
  })
  step('go', ['go.mod', 'go.sum'], () => run('go', 'go', 'mod', 'download'))
}

/** Copies the files that pin versions, and installs what they say if they are other ones than before. */
function step(folder: string, files: string[], installs: () => void): void {
  const pins = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
  const done = join(WORKSHOP, folder, 'installed')
  if (existsSync(done) && readFileSync(done, 'utf8') === pins) return
  mkdirSync(join(WORKSHOP, folder), { recursive: true })
  for (const file of files) copyFileSync(join(import.meta.dirname, file), join(WORKSHOP, folder, file))
  console.log(`installing ${files[0]}`)
  installs()
  writeFileSync(done, pins)
}
