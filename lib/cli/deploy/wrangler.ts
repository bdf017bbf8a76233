import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../../..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')

/** The variables of our environment that every child process gets. */
const BASIC = [
  ...['PATH', 'HOME', 'TMPDIR', 'TERM', 'LANG', 'XDG_CONFIG_HOME'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
  ],
]
/** Returns the environment of a child process that calls no service: it has no token. */
export const bareEnv = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(BASIC.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))

/** The variables that wrangler gets. Cloudflare's token is the only secret. */
const PASSED = [...BASIC, 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_BASE_URL']

/**
 * Removes the environment from this process, except {@link BASIC}. A child process that a library starts gets
 * the environment of the process: wrangler words its warnings by esbuild, which it starts so.
 * @returns the whole environment
 */
export function takeEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of Object.keys(env))
    if (!BASIC.includes(name) && !name.startsWith('WRANGLER_')) delete process.env[name]
  return env
}

/** How many calls one run of wrangler makes, for its time limit. */
export const CALLS_OF_WRANGLER = 10

/**
 * Returns the environment of a child process: named variables only. Wrangler's debug log would repeat
 * secrets.
 */
export const childEnv = (
  env: NodeJS.ProcessEnv,
  more: Record<string, string> = {},
): Record<string, string> => ({
  ...Object.fromEntries(PASSED.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CI: 'true',
  ...more,
})

/** A failure of wrangler, with its output. */
export class WranglerError extends Error {
  readonly output: string

  constructor(args: string[], output: string) {
    super(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${output.trim()}`)
    this.output = output
  }
}

/**
 * Runs wrangler without questions.
 * @param onOutput receives its output
 * @throws WranglerError if it fails, or does not end in time
 */
export function wrangler(
  args: string[],
  {
    env,
    timeoutMs,
    onOutput,
  }: { env: Record<string, string>; timeoutMs: number; onOutput?: (text: string) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRANGLER, ...args], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const add = (data: Buffer) => {
      output += data
      onOutput?.(String(data))
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      output += `\nit has not ended within ${timeoutMs / 1000} seconds`
      child.kill('SIGTERM')
    }, timeoutMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      // A wrangler that was stopped exits with 0, too.
      if (code === 0 && !isLate) resolve(output)
      else reject(new WranglerError(args, output))
    })
  })
}

/** The code that wrangler would upload for a group, without static assets. */
export type Bundle = {
  scripts: string[]
  /** The bundled source files, relative to the repository. */
  sources: string[]
}

/** Bundles a group's Worker exactly as a deployment would. */
export function buildBundle(group: string): Bundle {
  const folder = mkdtempSync(join(tmpdir(), 'agentcred-deploy-'))
  try {
    const args = ['deploy', '--env', group, '--dry-run', '--outdir', folder, '--metafile']
    const { status } = spawnSync(process.execPath, [WRANGLER, ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: childEnv(process.env),
    })
    if (status !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed`)
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    const meta: { inputs: Record<string, unknown> } = JSON.parse(read('bundle-meta.json'))
    const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
    return { scripts: scripts.map(read), sources: Object.keys(meta.inputs) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the size of a bundle in bytes, gzipped. */
export const bundleSize = ({ scripts }: Bundle): number =>
  scripts.reduce((sum, script) => sum + gzipSync(script).length, 0)
