import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { GUIDES, type Guide } from '../../lib/tools/description/reference/guides/index.ts'

const ROOT = join(import.meta.dirname, '../..')

export function guideOf(id: string): Guide {
  const guide = GUIDES.find((one) => one.id === id)
  if (!guide) throw new Error(`there is no guide ${id}`)
  return guide
}

/** Returns the commands that set the samples up, once the platform runs: its start is the first step. */
export const setUp = (): string =>
  guideOf('guide-examples')
    .steps.slice(1)
    .flatMap(({ language, code }) => (language === 'sh' ? [code] : []))
    .join('\n')

/** Puts the project's packages into a folder, as if they were installed there, and the client's source. */
export function installInto(folder: string): void {
  const packages = join(folder, 'node_modules')
  const client = join(packages, '@agentcred/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  writeFileSync(join(client, 'index.js'), `export * from '${join(ROOT, 'lib/client/index.ts')}'`)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@agentcred') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
}

/** Saves a guide's files and runs its commands, as a reader does. Returns what they print. */
export async function runGuide(id: string, folder: string, ports: Record<string, string>): Promise<string> {
  const steps = guideOf(id).steps.map(({ language, file, code }) => {
    if (file) return `cat > ${file} <<'GUIDE'\n${code}\nGUIDE`
    return language === 'sh' ? code : ''
  })
  const commands = [setUp(), ...steps].join('\n')
  const script = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${withPorts(commands, ports)}`
  const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const options = { cwd: folder, env: { ...process.env, PATH } }
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], options)
  return stdout
}

export const withPorts = (commands: string, ports: Record<string, string>): string =>
  commands.replaceAll(/\b(?:8787|8899|300[01])\b/g, (port) => ports[port] ?? port)
