/* Listed routes past the probes: what a job and the owner's calls would have stored. */

export type ListedRoute = {
  agentId: string
  owner: string
  agentName?: string
  status?: string
  reputationScore?: number
  /** The agent's endpoint, and its state after probes. */
  apiEndpoint?: string
  isLive?: boolean
  priceName?: string
  asset?: string
  amount?: number
  endedAt?: string | null
  state?: string
  /** By default the price's route at the origin of the endpoint. */
  url?: string
  document?: object
  fees?: number
  isHidden?: boolean
  checkedAt?: string
  changedAt?: string
}

const defaults = {
  agentName: 'Forecasts',
  status: 'active',
  reputationScore: 0,
  apiEndpoint: 'https://api.example.com/',
  isLive: false,
  priceName: 'GET /forecast',
  asset: 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo',
  amount: 250_000,
  endedAt: null,
  state: 'listed',
  document: {},
  fees: 0,
  isHidden: false,
  checkedAt: '2026-06-01T00:00:00.000Z',
  changedAt: '2026-06-01T00:00:00.000Z',
}

/** The number of an agent as its id. */
export const idOf = (number: number) => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

const ROUTE = `json_to_record(value) as route ("agentId" uuid, owner text, "agentName" text, status text, "reputationScore" double precision,
  "apiEndpoint" text, "isLive" boolean, "priceName" text, asset text, amount bigint, "endedAt" timestamptz, state text, url text,
  document text, fees bigint, "isHidden" boolean, "checkedAt" timestamptz, "changedAt" timestamptz)`

/** Returns one script, which stores agents that are missing, their endpoints and prices, and the routes. */
export function routesScript(routes: readonly ListedRoute[]): string {
  const stored = routes.map((route) => {
    const whole = { ...defaults, ...route }
    const url = `${new URL(whole.apiEndpoint).origin}${whole.priceName.replace(/^\S+ /, '')}`
    const document = whole.state === 'listed' ? JSON.stringify(whole.document) : null
    return { url, ...whole, document }
  })
  const from = `from json_array_elements('${JSON.stringify(stored).replaceAll("'", "''")}'::json) as value, ${ROUTE}`
  return `
    begin;
    set local session_replication_role = replica;
    insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at, api_endpoint, api_protocol)
      select distinct on ("agentId") "agentId", owner, "agentName", 'oracle', '{1}'::smallint[], 'flat', 5, "reputationScore", route.status, timestamptz '2026-01-01', "apiEndpoint", 'http'
      ${from} on conflict (id) do update set pubkey = excluded.pubkey, name = excluded.name, status = excluded.status,
        reputation_score = excluded.reputation_score, api_endpoint = excluded.api_endpoint, api_protocol = 'http';
    insert into agent_endpoints (url_hash, protocol, url, wallets, status)
      select distinct on ("apiEndpoint") encode(sha256(convert_to("apiEndpoint", 'UTF8')), 'hex'), 'http', "apiEndpoint", 1, 'live'
      ${from} where "isLive" on conflict do nothing;
    insert into request_prices (agent_id, name, asset, amount, ended_at)
      select "agentId", "priceName", asset, amount, "endedAt" ${from} on conflict do nothing;
    insert into request_resources (agent_id, price_name, state, url, checked_at, document, fees, is_hidden, changed_at)
      select "agentId", "priceName", state, url, "checkedAt", document, fees, "isHidden", "changedAt" ${from};
    commit`
}
