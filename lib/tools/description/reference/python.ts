import type { Placed } from './description.ts'
import { writePython } from './literal.ts'
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
 * Returns the call of an operation's example in Python, by the function `call` of the guide "Try the
 * examples"; undefined for a WebSocket.
 */
export function pythonOf(placed: Placed): string | undefined {
  if (isSocket(placed)) return undefined
  const request = requestOf(placed)
  const { body } = request
  const address = addressOf(placed, request, (value) =>
    isVariable(value) ? `{os.environ['${value.slice(1)}']}` : encodeURIComponent(String(value)),
  )
  const headers = isForm(placed) ? [['content-type', FORM]] : mcpHeaders(placed, body)
  const written = () =>
    isForm(placed) ? `f"${formOf(body, (value) => `{os.environ['${value.slice(1)}']}`)}"` : writePython(body)
  const args = [
    `"${placed.method}"`,
    `${address.includes('{') ? 'f' : ''}"${address}"`,
    ...(body === undefined ? [] : [written()]),
    ...(placed.operation.servers ? ['base=ORIGIN'] : []),
    ...(isOfPage(placed) ? ['headers={"origin": ORIGIN}'] : []),
    ...(headers.length === 0 ? [] : [`headers=${writePython(Object.fromEntries(headers))}`]),
  ]
  return `call(${args.join(', ')})`
}
