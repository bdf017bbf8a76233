import type { Charge } from '../../../client/generated/types.ts'

/** The wallet's side: as the owner of agents that are paid, or as a hirer that pays. */
export type Side = 'owner' | 'hirer'

/** What agents are paid for, each with its list. */
export const KINDS = { charge: 'Charges', request: 'Requests', job: 'Jobs' } as const
export type Kind = keyof typeof KINDS

/** What a list of entries shows. `all` restricts nothing; a month is as in `2026-11`, in UTC. */
export type Filter = {
  kind: Kind
  /** Of charges. */
  status: 'all' | Extract<Charge['status'], 'recorded' | 'collected' | 'voided'>
  agentId: string
  month: string
}
