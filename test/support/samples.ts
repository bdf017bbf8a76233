import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { curlOf } from '../../lib/tools/description/reference/curl.ts'
import {
  type Description,
  operationsOf,
  type Placed,
} from '../../lib/tools/description/reference/description.ts'
import * as examples from '../../schema/examples.ts'

export const document: Description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
)

/** The operations that curl can call: all but WebSockets. */
export const callable: Placed[] = operationsOf(document).filter((one) => curlOf(one) !== undefined)

/** Well-formed values of the variables that the reference's guide sets. */
export const variables = {
  PATH: process.env.PATH ?? '',
  API: 'http://api.example/v1',
  TOKEN: 'a-token',
  NONCE: examples.NONCE,
  SIGNATURE: examples.SIGNATURE,
  ID: examples.TRANSACTION_ID,
  TRANSACTION: examples.TRANSACTION,
  KEY: examples.FACILITATOR_KEY,
  TIMESTAMP: '1795165200000',
  CLIENT: 'a-client',
  REQUEST: 'a.request.token',
  CODE: 'a.code.token',
  CONNECTION: examples.CONNECTION_ID,
  ORIGIN: 'http://api.example',
}

type Line = { method: string; url: string; headers: Record<string, string>; data?: string }

/** Prints its arguments and, where one of them is `@-`, its input. */
const PRINTING = `curl() {
  printf '%s\\0' "$@"
  for argument in "$@"; do if [ "$argument" = @- ]; then cat; fi; done
  printf '\\1'
}`

/** Returns the requests that lines of curl make, as a shell takes them apart. */
export function requestsOf(lines: readonly (string | undefined)[], env: Record<string, string>): Line[] {
  const script = [PRINTING, ...lines].join('\n')
  const parted = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' })
  return parted.split('\x01').slice(0, -1).map(requestOf)
}

function requestOf(line: string): Line {
  const [url = '', ...rest] = line.split('\0')
  const valuesOf = (flag: string) => rest.filter((_, at) => rest[at - 1] === flag)
  const [given] = valuesOf('-d')
  const data = given === '@-' ? rest.at(-1) : given
  const [method = data === undefined ? 'GET' : 'POST'] = valuesOf('-X')
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(/: (.*)/, 2)))
  return { method, url, headers, ...(data !== undefined && { data }) }
}
