import type { Placed } from './description.ts'
import { writeJson } from './literal.ts'
import {
  addressOf,
  FORM,
  formOf,
  isForm,
  isOfPage,
  isSocket,
  isVariable,
  mcpHeaders,
  requestOf,
} from './requests.ts'

/**
 * Returns the curl line of an operation's example; undefined for a WebSocket. `$API` is the base address,
 * `$TOKEN` a session token.
 */
export function curlOf(placed: Placed): string | undefined {
  if (isSocket(placed)) return undefined
  const { method, operation } = placed
  const request = requestOf(placed)
  const { body } = request
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
  const base = operation.servers ? '${API%/v1}' : '$API'
  const address = addressOf(placed, request, (value) =>
    isVariable(value) ? value : encodeURIComponent(String(value)),
  )
  const headers = [
    ...(operation.security.length > 0 ? ['"authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : [`'content-type: ${isForm(placed) ? FORM : 'application/json'}'`]),
    ...(isOfPage(placed) ? ['"origin: $ORIGIN"'] : []),
    ...mcpHeaders(placed, body).map(([name, value]) => `'${name}: ${value}'`),
  ]
  return [
    `curl "${base}${address}"`,
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined ? [] : [isForm(placed) ? `-d "${formOf(body, (value) => value)}"` : dataOf(body)]),
  ].join(' \\\n  ')
}

/**
 * Returns curl's option for a body. With variables it is a here-document, in which the shell replaces them.
 */
function dataOf(body: unknown): string {
  const text = writeJson(body)
  return hasVariable(body) ? `-d @- <<END\n${text}\nEND` : `-d '${text.replaceAll("'", "'\\''")}'`
}

const hasVariable = (value: unknown): boolean =>
  isVariable(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasVariable))
