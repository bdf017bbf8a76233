import { useState } from 'preact/hooks'
import type { RequestPrice, RequestPriceRequest } from '../../../client/generated/types.ts'
import { amountOf, amountText } from '../../kit/amounts.ts'
import { Confirmed, Disclosure } from '../../kit/disclosure.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, SelectField, TextField } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { noneYet } from '../../kit/query.ts'
import { Cred } from '../../kit/text.tsx'
import { type Bound, useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Amount } from './amount.tsx'
import { priceOf, priceUnit } from './price-draft.ts'
import type { Selling } from './read.ts'
import { isRoute } from './server-text.ts'

/** Changes the prices that the agent has now. */
type Change = (change: (prices: readonly RequestPrice[]) => RequestPriceRequest[]) => Promise<void>

/** The agent's prices, each with what can be done with it, and the form for another. */
export function Prices({
  agentId,
  selling: { terms, mint, fee },
  onChanged,
}: {
  agentId: string
  selling: Selling
  onChanged: () => void
}) {
  const { client } = useConnection()
  const path = { id: agentId }
  // The service takes all prices at once: one that another page has set meanwhile must not be lost.
  const change: Change = async (change) => {
    const terms = await client.call('GET /x402/agents/{id}', { path }).catch(noneYet)
    const prices = change(terms?.prices ?? [])
    await client.call('PUT /x402/agents/{id}/prices', { path, body: { prices } })
    onChanged()
  }
  const prices = terms?.prices ?? []
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Prices</h2>
      {prices.length === 0 ? (
        <Empty title="No prices yet.">
          <p>Add what one request to a route of your API costs.</p>
        </Empty>
      ) : (
        <ul class="cards" aria-label="Prices">
          {prices.map((price, index) => (
            <li key={price.name} class="card">
              <h3>{price.name}</h3>
              <p>
                <Amount amount={price.amount} asset={price.asset} mint={mint} /> per request
              </p>
              <Disclosure summary="Change price">
                <ChangeForm price={price} index={index} mint={mint} fee={fee} change={change} />
              </Disclosure>
              <Confirmed
                label="End price"
                question="Payments at this price are accepted for ten more minutes, then refused. A server that still asks for it can’t sell."
                action={() => change((prices) => prices.filter(({ name }) => name !== price.name))}
              />
            </li>
          ))}
        </ul>
      )}
      <h3>Add a price</h3>
      <AddForm index={prices.length} fee={fee} change={change} />
    </section>
  )
}

function AddForm({ index, fee, change }: { index: number; fee: bigint | undefined; change: Change }) {
  const { draft, field, clear } = useDraft({ name: '', amount: '', asset: '' })
  const [added, setAdded] = useState<string>()
  const [token, setToken] = useState<keyof typeof TOKENS>('cred')
  const isCred = token === 'cred'
  const price = priceOf({ ...draft, asset: isCred ? '' : draft.asset })
  async function add() {
    if (!price) return
    await change((prices) => [...prices, price])
    setAdded(price.name)
    clear()
  }
  return (
    <Form action={add} label="Add price" isDisabled={!price || (!isCred && price.asset === undefined)}>
      <div class="row">
        <TextField
          {...field('name')}
          name={`prices.${index}.name`}
          label="Route"
          hint={
            draft.name.trim() === '' || isRoute(draft.name) ? (
              'Method and path, such as GET /forecast'
            ) : (
              <span class="bad">
                This isn’t a route, so the catalog won’t list it. A route is a method and a path, such as GET
                /forecast.
              </span>
            )
          }
        />
        <SelectField name="token" label="Paid in" choices={TOKENS} value={token} change={setToken} />
      </div>
      <div class="row">
        <AmountOf {...field('amount')} name={`prices.${index}.amount`} isCred={isCred} fee={fee} />
        {!isCred && (
          <TextField
            {...field('asset')}
            name={`prices.${index}.asset`}
            label="Token’s mint address"
            hint="The service must support this token"
          />
        )}
      </div>
      <p role="status">{added !== undefined && `Price for ${added} added.`}</p>
    </Form>
  )
}

const TOKENS = { cred: 'CRED', other: 'Another token' } as const

function ChangeForm({
  price,
  index,
  mint,
  fee,
  change,
}: {
  price: RequestPrice
  index: number
  mint: string
  fee: bigint | undefined
  change: Change
}) {
  const isCred = price.asset === mint
  const { draft, field } = useDraft({ amount: amountText(price.amount, priceUnit(isCred)) })
  const [isSaved, setSaved] = useState(false)
  const amount = amountOf(draft.amount, priceUnit(isCred))
  const isSame = amount === price.amount
  async function save() {
    if (amount === undefined) return
    await change((prices) => prices.map((one) => (one.name === price.name ? { ...one, amount } : one)))
    setSaved(true)
  }
  return (
    <Form action={save} label="Save" isDisabled={!amount || isSame}>
      <AmountOf {...field('amount')} name={`prices.${index}.amount`} isCred={isCred} fee={fee} />
      <p class="small">
        The former price is accepted for ten more minutes. Change it in your server within that time.
      </p>
      <p role="status">{isSaved && isSame && 'Price changed.'}</p>
    </Form>
  )
}

/**
 * The field of an amount in a price's token.
 * @param fee the credit that a request uses, in base units of CRED
 */
function AmountOf({ isCred, fee, ...field }: Bound<string> & { isCred: boolean; fee: bigint | undefined }) {
  const unit = priceUnit(isCred)
  const amount = amountOf(field.value, unit)
  const hint =
    amount === 0n ? (
      <span class="bad">Enter a price above 0.</span>
    ) : (
      isCred && fee !== undefined && <Cost amount={amount} fee={fee} />
    )
  return (
    <AmountField
      {...field}
      label={`Price per request, in ${isCred ? 'CRED' : 'the token’s smallest units'}`}
      unit={unit}
      hint={hint}
    />
  )
}

/** Says what a request costs its seller, and whether the price is less. */
const Cost = ({ amount, fee }: { amount: bigint | undefined; fee: bigint }) => (
  <>
    You pay about <Cred amount={fee} /> for each request.
    {amount !== undefined && amount <= fee && (
      <>
        {' '}
        <strong class="bad">At this price you {amount < fee ? 'lose money' : 'earn nothing'}.</strong>
      </>
    )}
  </>
)
