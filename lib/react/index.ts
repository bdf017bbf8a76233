'use client'

export { type AgentList, type AgentsQuery, useAgents } from './agents.ts'
export { type EventLog, type EventsOptions, useEvents } from './events.ts'
export { type HireList, type HiresQuery, useHire, useHires } from './hires.ts'
export { type Login, useLogin } from './login.ts'
export type { Loaded, Paged } from './pages.ts'
export { type TotalsRole, useCharge, useTotals } from './payments.ts'
export { AgentCredProvider, type AgentCredProviderProps, useClient } from './provider.ts'
