import type { Guide } from './guide.ts'
import { mcp } from './mcp.ts'
import { pages } from './pages.ts'
import { hirer, owner } from './roles.ts'
import { server } from './server.ts'
import { setUp } from './set-up.ts'
import { webhooks } from './webhooks.ts'
import { x402 } from './x402.ts'

export type { Guide, Step } from './guide.ts'

/** The guides, in order. They come before the operations. */
export const GUIDES: readonly Guide[] = [setUp, hirer, owner, server, webhooks, pages, x402, mcp]

/** Returns the operations that a guide needs, as `GET /agents`: named ones, or the calls of its code. */
const operationsOf = ({ steps, needs }: Guide): string[] =>
  needs ?? steps.flatMap(({ code }) => code.match(/(?<=')(GET|POST|PATCH|DELETE) [^']+(?=')/g) ?? [])

/** Returns the guides whose operations are all offered, since a deployment may lack some. */
export const guidesFor = (operations: string[]): Guide[] =>
  GUIDES.filter((guide) => operationsOf(guide).every((one) => operations.includes(one)))
