import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'

/** The package of Neon's driver. A Worker's bundle has {@link DRIVER} instead: `alias` of wrangler.toml. */
const PACKAGE = 'node_modules/@neondatabase/serverless/index.mjs'

/** The driver's HTTP half, in a checkout. Git ignores it, since it is another project's code. */
export const DRIVER = 'dist/neon-http.js'

const OPTIONS = { format: 'esm', target: 'es2024', legalComments: 'none' } as const

/**
 * Writes the driver that the Workers of a checkout bundle: the HTTP half of its package, made anew when the
 * package has changed. If the package is not built as this expects, the whole of it, with a warning.
 * @param root the checkout, with its node_modules
 * @returns the file
 */
export function writeDriver(root: string, warn: (warning: string) => void = process.emitWarning): string {
  const file = join(root, DRIVER)
  const source = readFileSync(join(root, PACKAGE), 'utf8')
  const hash = createHash('sha256')
    .update(source)
    .update(readFileSync(import.meta.filename))
  const head = `// @neondatabase/serverless, MIT License, Neon. ${hash.digest('hex')}\n`
  if (isMade(file, head)) return file
  const half = httpHalf(source)
  if (half === undefined)
    warn('Workers bundle all of @neondatabase/serverless: lib/tools/driver.ts does not know this version.')
  mkdirSync(dirname(file), { recursive: true })
  // Replace in one step, since another process may read the file or write the same.
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, head + (half ?? source))
  renameSync(temporary, file)
  return file
}

function isMade(file: string, head: string): boolean {
  try {
    return readFileSync(file, 'utf8').startsWith(head)
  } catch {
    return false
  }
}

/**
 * Cuts the HTTP client out of the package, whose only module also has pg's client and pool, a WebSocket, a
 * Buffer and MD5: a Worker would load 146 KB to use 32. Most of it is lazy modules, which esbuild leaves out
 * once it knows that making one has no effect.
 * @returns undefined if the package lacks an expected place
 */
export function httpHalf(source: string): string | undefined {
  let text = esbuild.transformSync(source, { ...OPTIONS, minifyWhitespace: true }).code
  let isKnown = true
  const found = (place: RegExp) => {
    const match = place.exec(text)
    isKnown &&= match !== null
    return match ?? []
  }
  const replace = (place: RegExp, by: string) => {
    found(place)
    text = text.replace(place, by)
  }
  const exported = (name: string) => found(new RegExp(`[{,](\\w+) as ${name}[,}]`))[1]
  const [, , types] = found(/var (\w+)=(\w+)\(\);function \w+\(\w+\)\{this\._types=\w+\|\|\1,/)
  const half = `export{${['neon', 'neonConfig', 'NeonDbError'].map((name) => `${exported(name)} as ${name}`)}};
    const types=${types}();export{types}`
  // Behind the last function of the HTTP client come Client, Pool and the exports.
  replace(/(?<="getAuthToken"\);).*$/s, half)
  // No statement has bytea, for which Node's Buffer would be emulated; no login hashes a password.
  replace(/:\w+\(\)\.Buffer\b/, ':Uint8Array')
  const [, hashes] = found(/(\w+)\.createHash\("md5"\)/)
  replace(new RegExp(`(?<=\\b${hashes}=)\\(\\w+\\(\\),\\w+\\(\\w+\\)\\)`), '{}')
  // neonConfig is the class of the WebSocket's connection. Only its settings are used: none of its instances.
  const [socket = '', own, emitter] = found(
    /class (\w+) extends (\w+)\.EventEmitter\{.*?\}(?=;\w+\(\w+,"Socket"\))/s,
  )
  const settings = socket.match(/static [gs]et \w+\(\w*\)\{[^{}]*\}/g) ?? []
  text = text.replace(socket, () => `class ${own}{${settings.join('')}}`)
  replace(new RegExp(`\\b${emitter}=\\w+\\(\\w+\\(\\),1\\);`), '')
  // What makes a lazy module, of either kind, and what names a function.
  for (const maker of [/\(r,e,t\)=>\(\)=>\{/, /\(r,e\)=>\(\)=>\{/, /\(r,e\)=>\w+\(r,"name",/])
    replace(new RegExp(`var (?=\\w+=${maker.source})`), '/* @__NO_SIDE_EFFECTS__ */const ')
  if (!isKnown) return undefined
  const stdin = { contents: text, loader: 'js' } as const
  const { outputFiles } = esbuild.buildSync({ ...OPTIONS, stdin, bundle: true, write: false, minify: true })
  return outputFiles[0]?.text
}
