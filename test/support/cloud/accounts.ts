import type { Cloud } from './cloud.ts'

/** Returns the resources in the accounts at Cloudflare and Neon. */
export const stateOf = ({ cloudflare, neon }: Cloud) => {
  const { subdomain, namespaces, queues, scripts, domains, routes, records } = cloudflare
  const { projects } = neon
  return structuredClone({ subdomain, namespaces, queues, scripts, domains, routes, records, projects })
}

/** Things of others, whose names begin as the deployment's do. */
export function addForeign({ cloudflare, neon }: Cloud): void {
  const metadata = { bindings: [], main_module: 'x.js', compatibility_date: '2026-10-20' }
  const script = {
    secrets: {},
    onWorkersDev: true,
    crons: [],
    versions: [],
    shares: [],
    migrationTag: undefined,
    classes: [],
  }
  cloudflare.scripts.set('agentcred-shop', { metadata, ...script })
  cloudflare.scripts.set('other-root', { metadata, ...script })
  cloudflare.namespaces.set('agentcred-baskets', 'b'.repeat(32))
  const queue = { queue_id: 'c'.repeat(32), queue_name: 'agentcred-orders', backlog: 3 }
  const consumer = {
    consumer_id: 'd',
    script: 'agentcred-shop',
    script_name: 'agentcred-shop',
    type: 'worker',
  }
  cloudflare.queues.set('agentcred-orders', { ...queue, consumers: [{ ...consumer, settings: {} }] })
  cloudflare.domains.set('shop.acme.test', 'agentcred-shop')
  cloudflare.routes.set('acme.test/shop*', 'agentcred-shop')
  cloudflare.records.add('mail.acme.test')
  const project = { region_id: 'aws-us-east-2', pg_version: 17, org_id: 'org-calm-sea-1' }
  neon.projects.push({ id: 'cold-lake-1', name: 'agentcred-old', ...project })
}
