import type { AgentPreview } from './read-queries.ts'

/** The entrypoint Pages of the agents Worker, which reads what the console's pages say of agents. */
export type PageService = {
  /** @returns undefined if no agent has the id */
  preview(id: string): Promise<AgentPreview | undefined>
  /** @returns the id of the first agent on each page of the sitemap */
  sitemapPages(): Promise<string[]>
  /** @returns the ids of at most 50,000 agents in the market, from the first one on */
  sitemapPage(first: string): Promise<string[]>
}
