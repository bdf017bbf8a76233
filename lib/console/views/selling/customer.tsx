import type { Agent, RequestPrice, X402Accepts } from '../../../client/generated/types.ts'
import { development } from '../../development.ts'
import { Copy } from '../../kit/copy.tsx'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Id } from '../../kit/text.tsx'
import { customerText, type FundingChain, INSTALL_CUSTOMER, PAY } from './customer-text.ts'
import { FUNDING } from './local-funding.ts'
import { priceWords } from './price-draft.ts'

type CustomerProps = { agent: Agent; price: RequestPrice; accepts: X402Accepts; mint: string }

/** A customer that pays for one request, to be copied. */
export const Customer = (props: CustomerProps) => (
  <section aria-labelledby="customer">
    <h2 id="customer">First customer</h2>
    <p>A complete customer for Node 20.6 or later. Pay for a request yourself, by a wallet of its own.</p>
    {DEVELOPMENT ? <OnLocalChain {...props} /> : <Instructions {...props} chain={undefined} />}
  </section>
)

/** The local platform's chain gives the customer its tokens. A deployment's build has nothing of it. */
function OnLocalChain(props: CustomerProps) {
  const { loaded, reload } = useLoaded('chain', development)
  return (
    <Show loaded={loaded} reload={reload}>
      {({ chain }) => <Instructions {...props} chain={chain && { rpcUrl: chain.rpcUrl, funding: FUNDING }} />}
    </Show>
  )
}

function Instructions({
  agent: { apiEndpoint },
  price,
  accepts,
  mint,
  chain,
}: CustomerProps & { chain: FundingChain | undefined }) {
  const text = customerText(price, accepts, mint, apiEndpoint, chain)
  return (
    <>
      <ol class="instructions">
        <li>
          Save this as <code>pay.mjs</code>, next to the server or in another folder.
          <pre class="message">{text}</pre>
          <Copy text={text} label="Copy customer" />
        </li>
        <li>
          Install the packages: <Id id={INSTALL_CUSTOMER} name="command" />
        </li>
        <li>
          Run it while your server runs: <Id id={PAY} name="command" />
        </li>
        {!chain && (
          <li>It shows the customer’s address. Send {priceWords(price, mint)} to it, then run it again.</li>
        )}
      </ol>
      <p class="small">
        {chain && 'The local chain gives the customer its tokens. '}To pay at another address, put it after
        the command.
      </p>
    </>
  )
}
