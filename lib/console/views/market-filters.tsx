import type { Agent } from '../../client/index.ts'
import { Field } from '../kit/form.tsx'
import { AGENT_TYPES } from './agent-types.ts'

/** The filters of GET /agents that the market offers. */
export type Filters = {
  q?: string
  layer?: number
  agentType?: Agent['agentType']
  minReputation?: number
  endpoint?: 'live' | 'down' | 'unknown'
}

const TYPES = Object.keys(AGENT_TYPES) as Agent['agentType'][]
const STATES = ['live', 'down', 'unknown'] as const
const LAYERS = Array.from({ length: 22 }, (_, index) => index + 1)

/** Reads the filters of an address; what is none is left out. */
export function filtersOf(query: URLSearchParams): Filters {
  const q = query.get('q')
  const layer = Number(query.get('layer'))
  const agentType = TYPES.find((type) => type === query.get('agentType'))
  const minReputation = Number(query.get('minReputation'))
  const endpoint = STATES.find((state) => state === query.get('endpoint'))
  return {
    ...(q && { q }),
    ...(LAYERS.includes(layer) && { layer }),
    ...(agentType && { agentType }),
    ...(minReputation > 0 && minReputation <= 100 && { minReputation }),
    ...(endpoint && { endpoint }),
  }
}

/** Lets the visitor choose them; each change is told at once. */
export function FilterForm({ filters, change }: { filters: Filters; change: (filters: Filters) => void }) {
  const set = (name: keyof Filters, value: string) => {
    const next = new URLSearchParams(Object.entries(filters).map(([key, old]) => [key, String(old)]))
    if (value === '') next.delete(name)
    else next.set(name, value)
    change(filtersOf(next))
  }
  return (
    <search class="row">
      <Field name="q" label="Search">
        {(control) => (
          <input
            {...control}
            type="search"
            value={filters.q ?? ''}
            onInput={(e) => set('q', e.currentTarget.value)}
          />
        )}
      </Field>
      <Field name="layer" label="Layer">
        {(control) => (
          <select
            {...control}
            value={filters.layer ?? ''}
            onChange={(e) => set('layer', e.currentTarget.value)}
          >
            <option value="">any</option>
            {LAYERS.map((layer) => (
              <option key={layer}>{layer}</option>
            ))}
          </select>
        )}
      </Field>
      <Field name="agentType" label="Type">
        {(control) => (
          <select
            {...control}
            value={filters.agentType ?? ''}
            onChange={(e) => set('agentType', e.currentTarget.value)}
          >
            <option value="">any</option>
            {TYPES.map((type) => (
              <option key={type} value={type}>
                {AGENT_TYPES[type]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="endpoint" label="Endpoint">
        {(control) => (
          <select
            {...control}
            value={filters.endpoint ?? ''}
            onChange={(e) => set('endpoint', e.currentTarget.value)}
          >
            <option value="">any</option>
            {STATES.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        )}
      </Field>
      <Field name="minReputation" label="Reputation from (0 to 100)">
        {(control) => (
          <input
            {...control}
            type="number"
            min="0"
            max="100"
            value={filters.minReputation ?? ''}
            onChange={(e) => set('minReputation', e.currentTarget.value)}
          />
        )}
      </Field>
    </search>
  )
}
