import type { ComponentType } from 'preact'
import type { ViewName } from './addresses.ts'
import { LEFT_OUT } from './left-out.ts'
import type { ViewProps } from './view-props.ts'

type View = {
  title: string
  load: () => Promise<{ default: ComponentType<ViewProps> }>
  /** The view whose navigation entry is marked while this one is shown. By default its own, if it has one. */
  under?: ViewName
  /** Whether the page has nothing else that leads to other views. */
  isAlone?: boolean
}

/** Every view by its name. Each is a file of its own, loaded when it is first shown. */
const ALL: Record<ViewName | 'not-found', View> = {
  // Explains the console to a visitor without a wallet, if the URL names no view.
  start: { title: 'Welcome', load: () => import('./views/start/start.tsx') },
  market: { title: 'Market', load: () => import('./views/market.tsx') },
  agents: { title: 'Agents', load: () => import('./views/agents/own.tsx') },
  agent: { title: 'Agent', load: () => import('./views/agents/agent.tsx'), under: 'market' },
  hires: { title: 'Hires', load: () => import('./views/hires/hires.tsx') },
  jobs: { title: 'Jobs', load: () => import('./views/jobs/jobs.tsx') },
  charges: { title: 'Charge', load: () => import('./views/charge.tsx'), under: 'hires' },
  earnings: { title: 'Money', load: () => import('./views/money/money.tsx') },
  selling: {
    title: 'Sell requests',
    load: () => import('./views/selling/selling.tsx'),
    under: 'agents',
  },
  vault: { title: 'Staking', load: () => import('./views/vault/vault.tsx') },
  reputation: { title: 'Reputation', load: () => import('./views/reputation/reputation.tsx') },
  pioneer: { title: 'Pioneers', load: () => import('./views/pioneer.tsx') },
  connect: { title: 'Connect', load: () => import('./views/connect/connect.tsx'), isAlone: true },
  apps: { title: 'Connected apps', load: () => import('./views/apps.tsx') },
  developer: { title: 'Developers', load: () => import('./views/developer/developer.tsx') },
  statistics: { title: 'Statistics', load: () => import('./views/statistics.tsx') },
  'not-found': { title: 'Not found', load: () => import('./views/not-found.tsx') },
}

/** The views of this deployment: some may be left out. */
export const VIEWS: Record<string, View> = Object.fromEntries(
  Object.entries(ALL).filter(([name]) => !LEFT_OUT.includes(name)),
)

/** The views of the main navigation, by what a visitor does there: hire, offer agents, stake. */
export const ROLES: readonly { label: string; views: readonly ViewName[] }[] = [
  { label: 'Hire', views: ['market', 'jobs', 'hires'] },
  { label: 'Offer', views: ['agents', 'earnings'] },
  { label: 'Stake', views: ['vault'] },
]

/** The other views that anybody may open: the footer and the wallet's menu lead to them. */
export const OTHERS: readonly ViewName[] = ['reputation', 'pioneer', 'statistics', 'developer']
