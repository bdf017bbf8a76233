import type { Guide } from './guide.ts'
import { hirer, owner } from './roles.ts'
import { setUp } from './set-up.ts'

export type { Guide } from './guide.ts'

/** The guides before the operations, in their order. */
export const GUIDES: readonly Guide[] = [setUp, hirer, owner]

/** The operations that a guide's calls name, as `GET /agents`. */
const callsOf = ({ steps }: Guide): string[] =>
  steps.flatMap(({ code }) => code.match(/(?<=')(GET|POST|PATCH|DELETE) [^']+(?=')/g) ?? [])

/** The guides whose operations are all among these: a deployment may do without some. */
export const guidesFor = (operations: string[]): Guide[] =>
  GUIDES.filter((guide) => callsOf(guide).every((call) => operations.includes(call)))
