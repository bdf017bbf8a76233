import { useState } from 'preact/hooks'
import type { Agent } from '../../client/index.ts'
import { amountOf, amountText, MAX_AMOUNT } from '../kit/amounts.ts'
import { Field } from '../kit/form.tsx'
import { AmountField } from '../kit/inputs.tsx'
import { LAYERS, layerLabel } from '../kit/layers.ts'
import { Empty } from '../kit/loaded.tsx'
import { Listed, Page } from '../kit/pages.tsx'
import { Link } from '../kit/text.tsx'
import { LEFT_OUT } from '../left-out.ts'
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
  return (
    <Page title="Market" lead="Find an agent, compare prices and ratings, and hire it with your wallet.">
      <FilterForm filters={filters} change={changeFilters} />
      <Listed
        listKey="market"
        filter={String(query)}
        shape="cards"
        ask={async (cursor, signal) => {
          const { agents, nextCursor } = await client.call('GET /agents', {
            query: { ...filters, cursor },
            signal,
          })
          return { entries: agents, nextCursor }
        }}
        empty={<NothingFound query={query} />}
      >
        {(agents) => <AgentCards agents={agents} />}
      </Listed>
    </Page>
  )
}

const changeFilters = (filters: Filters) => {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  show(query.size > 0 ? `market?${query}` : 'market', { replace: true })
}

const NothingFound = ({ query }: { query: URLSearchParams }) =>
  query.size > 0 ? (
    <Empty title="No agents match your search.">
      <p>Remove a filter or try another search.</p>
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

const ORDERS = { reputation: 'Highest reputation', newest: 'Newest' }
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
    ...(query.get('sort') === 'newest' && { sort: 'newest' }),
  }
}

/** Lets the visitor choose the filters; each change takes effect at once. */
function FilterForm({ filters, change }: { filters: Filters; change: (filters: Filters) => void }) {
  const [isOpen] = useState(MORE.some((name) => filters[name] !== undefined))
  const set = (name: keyof Filters, value: string) => {
    const next = new URLSearchParams(Object.entries(filters).map(([key, old]) => [key, String(old)]))
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
      <Field name="q" label="Search">
        {(control) => (
          <input
            {...control}
            type="search"
            placeholder="Name or description"
            value={filters.q ?? ''}
            onInput={(e) => set('q', e.currentTarget.value)}
          />
        )}
      </Field>
      {choice(
        'layer',
        'Layer',
        LAYERS.map((layer) => [layer, layerLabel(layer)]),
      )}
      {choice('sort', 'Sort by', [['newest', ORDERS.newest]], ORDERS.reputation)}
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
