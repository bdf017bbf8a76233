import type { Bench } from './harness/bench.ts'
import type { Section } from './harness/report.ts'

/** A part of the benchmark, and the rows that it promises, by their first column. */
type Part = { measure: (bench: Bench) => Promise<Section[]>; subjects: () => string[] }

/** The parts by name, in the order they run; each is loaded when it runs. */
export const parts: Record<string, () => Promise<Part>> = {
  agents: async () => {
    const { agents, subjects } = await import('./parts/agents.ts')
    return { measure: agents, subjects }
  },
  login: async () => {
    const { login, subjects } = await import('./parts/login.ts')
    return { measure: login, subjects }
  },
  writes: async () => {
    const { writes, subjects } = await import('./parts/writes.ts')
    return { measure: writes, subjects }
  },
  jobs: async () => {
    const { jobs, subjects } = await import('./parts/jobs.ts')
    return { measure: jobs, subjects }
  },
  gateway: async () => {
    const { gateway, subjects } = await import('./parts/gateway.ts')
    return { measure: gateway, subjects }
  },
  statements: async () => {
    const { statements, subjects } = await import('./parts/statements.ts')
    return { measure: statements, subjects }
  },
  vault: async () => {
    const { vault, subjects } = await import('./parts/vault.ts')
    return { measure: vault, subjects }
  },
  settle: async () => {
    const { settle, subjects } = await import('./parts/settle.ts')
    return { measure: settle, subjects }
  },
  catalog: async () => {
    const { catalog, subjects } = await import('./parts/catalog.ts')
    return { measure: catalog, subjects }
  },
  client: async () => {
    const { client, subjects } = await import('./parts/client.ts')
    return { measure: client, subjects }
  },
  scale: async () => {
    const { scale, subjects } = await import('./parts/scale.ts')
    return { measure: scale, subjects }
  },
  webhooks: async () => {
    const { webhooks, subjects } = await import('./parts/webhooks.ts')
    return { measure: webhooks, subjects }
  },
  isolation: async () => {
    const { isolation, subjects } = await import('./parts/isolation.ts')
    return { measure: isolation, subjects }
  },
  cold: async () => {
    const { cold, subjects } = await import('./parts/cold.ts')
    return { measure: cold, subjects }
  },
  platform: async () => {
    const { platform, subjects } = await import('./parts/platform.ts')
    return { measure: platform, subjects }
  },
  references: async () => {
    const { references, subjects } = await import('./parts/references.ts')
    return { measure: references, subjects }
  },
  idle: async () => {
    const { idle, subjects } = await import('./parts/idle.ts')
    return { measure: idle, subjects }
  },
  cost: async () => {
    const { costs, subjects } = await import('./parts/costs.ts')
    return { measure: costs, subjects }
  },
}
