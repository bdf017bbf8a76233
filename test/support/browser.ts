import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium')

/** Makes `navigator.language` a tag that Intl refuses, `en-US@posix`, as in most containers. */
const NO_LOCALE = { LC_ALL: 'C.UTF-8', LANGUAGE: '' }

/**
 * Starts Chromium without a window: from an npm package, so that no machine needs to install it, or from
 * CHROMIUM_PATH. The caller closes it.
 */
export async function startBrowser(): Promise<Browser> {
  // Tests also run as root, which Chromium's sandbox rejects. The pages are our own.
  const args = ['--no-sandbox', '--disable-gpu']
  const env = { ...process.env, ...NO_LOCALE }
  // Only ends a start that hangs.
  const timeout = 180_000
  const given = process.env.CHROMIUM_PATH
  if (given) return chromium.launch({ executablePath: given, args, env, timeout })
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('the Chromium of @sparticuz/chromium is for x64 Linux: name another by CHROMIUM_PATH')
  const folder = await unpackChromium()
  // The package's font, and the libraries that a bare machine lacks, for this process alone.
  const libraries = { FONTCONFIG_PATH: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') }
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args,
    timeout,
    env: { ...env, ...libraries },
  })
}

/** Unpacks what the package carries, once for a machine and version. */
async function unpackChromium(): Promise<string> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = join(process.env.LASTING_TMPDIR ?? tmpdir(), `agentcred-chromium-${version}`)
  if (isWhole(folder)) return folder
  const unpacking = mkdtempSync(`${folder}-`)
  await unpackTo(unpacking)
  writeFileSync(join(unpacking, 'fonts.conf'), fontsOf(folder))
  rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(unpacking, folder)
  } catch (error) {
    // Another process was faster.
    rmSync(unpacking, { recursive: true, force: true })
    if (!isWhole(folder)) throw error
  }
  return folder
}

/** Returns whether no file is missing. A cleaner of temporary files may have deleted some. */
const isWhole = (folder: string): boolean =>
  ['chromium', 'fonts.conf', 'fonts', 'al2023/lib'].every((name) => existsSync(join(folder, name)))

/**
 * Unpacks the package to the folder for temporary files, in a process of its own. The package takes half a
 * file for a whole one. It unpacks its libraries only if it believes that it runs in AWS Lambda.
 */
async function unpackTo(folder: string): Promise<void> {
  const script = `import packed from '@sparticuz/chromium'; await packed.executablePath()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
  })
}

/** The package's own settings name folders of Lambda functions. Without a font Chromium ends. */
const fontsOf = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`
