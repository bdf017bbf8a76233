import { useEffect, useRef, useState } from 'preact/hooks'
import type { Agent } from '../../client/index.ts'
import { amountOf, amountText, MAX_AMOUNT } from '../kit/amounts.ts'
import { Field } from '../kit/form.tsx'
import { AmountField } from '../kit/inputs.tsx'
import { LAYERS, layerName } from '../kit/layers.ts'
import { Empty } from '../kit/loaded.tsx'
import { Listed, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Link } from '../kit/text.tsx'
import { LEFT_OUT } from '../left-out.ts'
import { formatNumber } from '../locale.ts'
import { show } from '../router.ts'
import type { ViewProps } from '../view-props.ts'
import { useConnection } from '../wallet/connection.tsx'
import { AgentCards } from './agents/cards.tsx'
import { AGENT_TYPES } from './agents/fields.ts'
import { ExampleMarket } from './example-market.tsx'

/** Finds agents: search, filters, and a card for each. */
export default function Market({ query }: ViewProps) {
  const { client } = useConnection()
  const filters = filtersOf(query)
  const counts = useCounts(filters)
  return (
    <Page
      title="Market"
      tab={filters.q ? `${filters.q} · Market` : 'Market'}
      lead="Find an agent, compare prices and ratings, and hire it with your wallet."
    >
      <FilterForm filters={filters} counts={counts} change={changeFilters} />
      <p class="small" role="status">
        {counts && countText(counts, filters.layer)}
      </p>
      <Listed
        listKey="market"
        filter={String(query)}
        shape="cards"
        ask={async (cursor, signal) => {
          const { agents, nextCursor, close } = await client.call('GET /agents', {
            query: { ...filters, cursor },
            signal,
          })
          return { entries: agents.map((agent) => ({ agent, isClose: close === true })), nextCursor }
        }}
        empty={<NothingFound query={query} />}
      >
        {(found) => (
          <>
            {found[0]?.isClose && (
              <p>
                <strong>Close to your search:</strong>
              </p>
            )}
            <AgentCards agents={found.map(({ agent }) => agent)} />
          </>
        )}
      </Listed>
    </Page>
  )
}

/** The number of agents that a search finds, in all and by category; each is a lower bound unless complete. */
type Counts = { count: number; layers: readonly { layer: number; count: number }[]; complete: boolean }

/** Counts the agents of each category with the other filters; undefined until they are counted. */
function useCounts({ layer: _layer, sort: _sort, ...filters }: Filters): Counts | undefined {
  const { client } = useConnection()
  const { loaded } = useLoaded(
    'market counts',
    (signal) => client.call('GET /agents/counts', { query: filters, signal }),
    undefined,
    String(queryOf(filters)),
  )
  return loaded.state === 'ready' && !loaded.isOther ? loaded.data : undefined
}

/** The service counts no further. */
const MAX_COUNTED = 1_000

/** Returns a count as text, such as `24` or `1,000+`. */
const countOf = (count: number, { complete }: Counts) =>
  formatNumber(count) + (complete && count < MAX_COUNTED ? '' : '+')

/** Returns the number of agents in a category, or in all; undefined if there are none. */
function countText(counts: Counts, layer: number | undefined): string | undefined {
  const count = layer === undefined ? counts.count : layerCount(counts, layer)
  if (count === 0) return undefined
  return `${countOf(count, counts)} ${count === 1 && counts.complete ? 'agent' : 'agents'}`
}

const layerCount = ({ layers }: Counts, wanted: number): number =>
  layers.find(({ layer }) => layer === wanted)?.count ?? 0

const queryOf = (filters: Filters) =>
  new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))

const changeFilters = (filters: Filters) => {
  const query = queryOf(filters)
  show(query.size > 0 ? `market?${query}` : 'market', { replace: true })
}

const NothingFound = ({ query }: { query: URLSearchParams }) =>
  query.size > 0 ? (
    <Empty title="No agents match your search.">
      <p>{query.size > 1 || !query.has('q') ? 'Remove a filter or try other words.' : 'Try other words.'}</p>
    </Empty>
  ) : (
    <Empty title="No agents yet.">
      <p>
        <Link to="agents/register">Register the first agent</Link>.
      </p>
      {DEVELOPMENT && <ExampleMarket />}
    </Empty>
  )

/** The filters of GET /agents that the market offers. */
type Filters = {
  q?: string
  layer?: number
  agentType?: Agent['agentType']
  minReputation?: number
  endpoint?: keyof typeof STATES
  card?: keyof typeof CARDS
  priced?: true
  /** In base units of CRED. */
  maxRequestPrice?: bigint
  sort?: keyof typeof ORDERS
}

const BY_REPUTATION = 'Highest reputation'
const ORDERS = {
  rating: 'Highest rating',
  hires: 'Most hires',
  price: 'Lowest price',
  newest: 'Newest',
} as const
const STATES = { live: 'Up', down: 'Down', unknown: 'Not checked yet' } as const
const CARDS = { verified: 'Verified', signed: 'Signed', unsigned: 'Not signed', none: 'None' } as const

/** Reads the filters of an address; invalid values are left out. */
function filtersOf(query: URLSearchParams): Filters {
  const q = query.get('q')
  const layer = Number(query.get('layer'))
  const agentType = keysOf(AGENT_TYPES).find((type) => type === query.get('agentType'))
  const minReputation = Number(query.get('minReputation'))
  const endpoint = keysOf(STATES).find((state) => state === query.get('endpoint'))
  const card = keysOf(CARDS).find((worth) => worth === query.get('card'))
  const sort = keysOf(ORDERS).find((order) => order === query.get('sort'))
  const maxPrice = query.get('maxRequestPrice') ?? ''
  const maxRequestPrice = /^\d{1,16}$/.test(maxPrice) ? BigInt(maxPrice) : 0n
  return {
    ...(q && { q }),
    ...(LAYERS.includes(layer) && { layer }),
    ...(agentType && { agentType }),
    ...(minReputation > 0 && minReputation <= 100 && { minReputation }),
    ...(endpoint && { endpoint }),
    ...(card && { card }),
    ...(query.get('priced') === 'true' && { priced: true }),
    ...(maxRequestPrice > 0n && maxRequestPrice <= MAX_AMOUNT && { maxRequestPrice }),
    ...(sort && { sort }),
  }
}

/** Lets the visitor choose the filters; each change takes effect at once. */
function FilterForm({
  filters,
  counts,
  change,
}: {
  filters: Filters
  counts: Counts | undefined
  change: (filters: Filters) => void
}) {
  const [isOpen] = useState(MORE.some((name) => filters[name] !== undefined))
  const set = (name: keyof Filters, value: string) => {
    const next = queryOf(filters)
    if (value === '') next.delete(name)
    else next.set(name, value)
    change(filtersOf(next))
  }
  const choice = (name: keyof Filters, label: string, choices: Choice[], any = 'Any') => (
    <Field name={name} label={label}>
      {(control) => (
        <select
          {...control}
          value={String(filters[name] ?? '')}
          onChange={(e) => set(name, e.currentTarget.value)}
        >
          <option value="">{any}</option>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  return (
    <search>
      <SearchField text={filters.q ?? ''} change={(text) => set('q', text)} />
      {choice(
        'layer',
        'Category',
        LAYERS.map((layer) => [
          layer,
          counts ? `${layerName(layer)} (${countOf(layerCount(counts, layer), counts)})` : layerName(layer),
        ]),
      )}
      {choice('sort', 'Sort by', Object.entries(ORDERS), BY_REPUTATION)}
      <details class="filters" open={isOpen}>
        <summary>More filters</summary>
        <div>
          {choice('agentType', 'Type', Object.entries(AGENT_TYPES))}
          {choice('endpoint', 'Endpoint', Object.entries(STATES))}
          {choice('card', 'Agent card', Object.entries(CARDS))}
          {!LEFT_OUT.includes('selling') && (
            <>
              {choice('priced', 'Paid requests', [['true', 'Sells requests']])}
              <PriceFilter
                highest={filters.maxRequestPrice}
                change={(highest) => set('maxRequestPrice', String(highest ?? ''))}
              />
            </>
          )}
          <Field name="minReputation" label="Minimum reputation">
            {(control) => (
              <input
                {...control}
                type="number"
                min="0"
                max="100"
                placeholder="0 to 100"
                value={filters.minReputation ?? ''}
                onChange={(e) => set('minReputation', e.currentTarget.value)}
              />
            )}
          </Field>
        </div>
      </details>
    </search>
  )
}

const TYPING_MS = 250
const MAX_QUERY_LENGTH = 200

/** A search by name or need. It takes effect once the visitor pauses typing, since each search costs calls. */
function SearchField({ text, change }: { text: string; change: (text: string) => void }) {
  const [typed, setTyped] = useState<string>()
  // Another filter may be chosen while the visitor types.
  const latest = useRef(change)
  latest.current = change
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => {
      latest.current(typed)
      setTyped(undefined)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <Field name="q" label="Search">
      {(control) => (
        <input
          {...control}
          type="search"
          placeholder="A name, or what you need"
          maxLength={MAX_QUERY_LENGTH}
          value={typed ?? text}
          onInput={(e) => setTyped(e.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/**
 * The highest price, in base units of CRED. It keeps the text while that says the price, also one such as
 * `0.` that says none yet.
 */
function PriceFilter({
  highest,
  change,
}: {
  highest: bigint | undefined
  change: (highest: bigint | undefined) => void
}) {
  const [text, setText] = useState('')
  const priceOf = (text: string) => amountOf(text) || undefined
  return (
    <AmountField
      name="maxRequestPrice"
      label="Highest price per request, in CRED"
      value={priceOf(text) === highest ? text : highest === undefined ? '' : amountText(highest)}
      change={(typed) => {
        setText(typed)
        change(priceOf(typed))
      }}
    />
  )
}

/** The filters that are folded away while none of them is set. */
const MORE = ['agentType', 'endpoint', 'card', 'priced', 'maxRequestPrice', 'minReputation'] as const

/** A value and its label. */
type Choice = [value: string | number, words: string | number]

const keysOf = <Key extends string>(choices: Record<Key, string>) => Object.keys(choices) as Key[]
