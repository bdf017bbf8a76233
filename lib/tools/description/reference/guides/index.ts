import type { Guide } from './guide.ts'
import { mcp } from './mcp.ts'
import { pages } from './pages.ts'
import { hirer, owner } from './roles.ts'
import { server } from './server.ts'
import { setUp } from './set-up.ts'
import { webhooks } from './webhooks.ts'
import { x402 } from './x402.ts'

export type { Guide, Step } from './guide.ts'

/** The guides before the operations, in their order. */
export const GUIDES: readonly Guide[] = [setUp, hirer, owner, server, webhooks, pages, x402, mcp]

/** The operations that a guide needs, as `GET /agents`: unless it names them, those that its code calls. */
const operationsOf = ({ steps, needs }: Guide): string[] =>
  needs ?? steps.flatMap(({ code }) => code.match(/(?<=')(GET|POST|PATCH|DELETE) [^']+(?=')/g) ?? [])

/** The guides whose operations are all among these: a deployment may do without some. */
export const guidesFor = (operations: string[]): Guide[] =>
  GUIDES.filter((guide) => operationsOf(guide).every((one) => operations.includes(one)))
