import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeDriver } from '../../tools/driver.ts'

const ROOT = join(import.meta.dirname, '../../..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')

/** The variables that every child process gets: paths, terminal, language, proxies, certificates. */
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
/** Returns the environment of a child process that needs no access to Cloudflare: it gets no token. */
export const bareEnv = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(BASIC.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))

/** The variables that wrangler gets. Secrets are only Cloudflare's token, and a password in a proxy's URL. */
const FOR_WRANGLER = [...BASIC, 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_BASE_URL']

/**
 * Returns the whole environment of this process, and removes it from the process. Only the variables of
 * {@link BASIC} and wrangler's settings (WRANGLER_…) stay. Otherwise child processes that a library starts
 * would inherit our secrets: wrangler, as a library, starts esbuild to format warnings.
 */
export function takeEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of Object.keys(env))
    if (!BASIC.includes(name) && !name.startsWith('WRANGLER_')) delete process.env[name]
  return env
}

/**
 * An estimate of how many calls to Cloudflare one run of wrangler makes at most. The time limit of a run is
 * that of a call, multiplied by it.
 */
export const CALLS_OF_WRANGLER = 10

/**
 * Returns the environment of wrangler: named variables only. Its log file is off, because it would contain
 * secrets. Its compiled code is cached: a setup starts wrangler once for each Worker.
 * @param more variables for this run
 */
export const childEnv = (
  env: NodeJS.ProcessEnv,
  more: Record<string, string> = {},
): Record<string, string> => ({
  ...Object.fromEntries(FOR_WRANGLER.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  NODE_COMPILE_CACHE: join(ROOT, 'dist/compiled'),
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

/** A wrangler that ignores SIGTERM is killed after this time. */
const GRACE_MS = 10_000

type RunOptions = {
  env: Record<string, string>
  timeoutMs: number
  /** Receives the output while wrangler runs. */
  onOutput?: (text: string) => void
  /** Only tests set these: another script than wrangler's, and another time than {@link GRACE_MS}. */
  script?: string
  graceMs?: number
}

/**
 * Runs wrangler. It can't ask questions, because it has no stdin.
 * @returns its output
 * @throws WranglerError if it fails or does not end in time
 */
export function wrangler(
  args: string[],
  { env, timeoutMs, onOutput, script = WRANGLER, graceMs = GRACE_MS }: RunOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
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
    let hasTimedOut = false
    // wrangler's script starts another process, which may ignore SIGTERM and has the same pipes. The event
    // "close" waits for these, so they are destroyed.
    const kill = () => {
      child.kill('SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
    }
    let timer = setTimeout(() => {
      hasTimedOut = true
      output += `\nit has not ended within ${timeoutMs / 1000} seconds`
      child.kill('SIGTERM')
      timer = setTimeout(kill, graceMs)
    }, timeoutMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      // A wrangler that was stopped by SIGTERM exits with 0, too.
      if (code === 0 && !hasTimedOut) resolve(output)
      else reject(new WranglerError(args, output))
    })
  })
}

/** The code that wrangler would upload for a Worker, without static assets. */
export type Bundle = {
  scripts: string[]
  /** The bundled source files, relative to the repository. */
  sources: string[]
}

/**
 * Bundles a Worker exactly as a deployment would.
 * @param group the Worker's environment in wrangler.toml, such as `auth`
 */
export function buildBundle(group: string): Bundle {
  writeDriver(ROOT)
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
