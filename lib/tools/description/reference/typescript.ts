import type { Placed } from './description.ts'
import { writeTypeScript } from './literal.ts'
import {
  addressOf,
  FORM,
  isForm,
  isMcp,
  isOfPage,
  isSocket,
  isVariable,
  mcpHeaders,
  requestOf,
  type Values,
} from './requests.ts'

/** The client's flows of several steps, by operation; `$` is the example's body. */
const FLOWS: Record<string, string> = {
  getChallenge: 'login()',
  login: 'login()',
  revokeSessions: 'revoke()',
  hireAgent: 'hire($)',
  stack: 'stake($)',
  unstack: 'unstake($)',
  claim: 'claim($)',
  closeLeftovers: 'closeLeftovers($)',
  fundBudget: 'fund($)',
  withdrawBudget: 'withdraw($)',
  openCollector: 'openCollector()',
  collect: 'collect($)',
}

/** Whether the client has no call for an operation: pages, paths at the host's root, MCP, forms, consents. */
export const isBesideClient = (placed: Placed): boolean =>
  placed.operation.servers !== undefined ||
  placed.operation.operationId === 'getReference' ||
  isMcp(placed) ||
  isForm(placed) ||
  isOfPage(placed)

/** Returns the call of an operation's example by @agentcred/client, or by fetch if the client has none. */
export function typescriptOf(placed: Placed): string {
  if (isBesideClient(placed)) return fetchOf(placed)
  if (isSocket(placed))
    return 'for await (const event of client.events({ live: true })) console.log(event.type)'
  const { method, path, operation } = placed
  const { path: inPath, query, body } = requestOf(placed)
  const flow = FLOWS[operation.operationId]
  // A flow chooses the order of signing itself.
  const { signing: _, ...order } = (body ?? {}) as Values
  if (flow) return `await client.${flow.replace('$', () => writeTypeScript(order))}`
  const parts = {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  }
  const request = Object.keys(parts).length > 0 ? `, ${writeTypeScript(parts)}` : ''
  return `await client.call('${method} ${path}'${request})`
}

function fetchOf(placed: Placed): string {
  const { method, operation } = placed
  const request = requestOf(placed)
  const { body } = request
  const path = addressOf(placed, request, (value) =>
    isVariable(value) ? `\${process.env.${value.slice(1)}}` : encodeURIComponent(String(value)),
  )
  const url = operation.servers ? `new URL('${path}', process.env.API)` : `\`\${process.env.API}${path}\``
  if (body === undefined) return `await fetch(${url})`
  const type = isForm(placed) ? FORM : 'application/json'
  const origin = isOfPage(placed) ? [['origin', '$ORIGIN']] : []
  const headers = Object.fromEntries([['content-type', type], ...origin, ...mcpHeaders(placed, body)])
  const written = writeTypeScript(body, 1)
  return `await fetch(${url}, {
  method: '${method}',
  headers: ${writeTypeScript(headers, 1)},
  body: ${isForm(placed) ? `new URLSearchParams(${written})` : `JSON.stringify(${written})`},
})`
}
