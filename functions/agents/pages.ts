import { WorkerEntrypoint } from 'cloudflare:workers'
import { selectFirstIds, selectIdsFrom } from '../../lib/agents/listing/sitemap-queries.ts'
import type { PageService } from '../../lib/agents/page-service.ts'
import { findAgentPreview } from '../../lib/agents/read-queries.ts'
import { connect } from '../../lib/db/connect.ts'

/** For the console's Worker, by a service binding: it has no database. */
export class Pages extends WorkerEntrypoint<Cloudflare.AgentsEnv> implements PageService {
  async preview(id: string) {
    return findAgentPreview(connect(this.env.DATABASE_URL), id)
  }

  async sitemapPages() {
    return selectFirstIds(connect(this.env.DATABASE_URL))
  }

  async sitemapPage(first: string) {
    return selectIdsFrom(connect(this.env.DATABASE_URL), first)
  }
}
