import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { Copy } from '../../kit/copy.tsx'
import { SelectField } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Id } from '../../kit/text.tsx'
import { Customer } from './customer.tsx'
import type { Selling } from './read.ts'
import { INSTALL, portOf, START, serverText, VARIABLE } from './server-text.ts'

/** A server that sells a route at the agent's price, and a first customer of it, both to be copied. */
export function Server({ agent, selling: { terms, mint } }: { agent: Agent; selling: Selling }) {
  const [chosen, choose] = useState<string>()
  const index = Math.max(0, terms?.prices.findIndex(({ name }) => name === chosen) ?? 0)
  const [price, accepts] = [terms?.prices[index], terms?.accepts[index]]
  const text = price && accepts && serverText(price, accepts, mint, agent)
  return (
    <>
      <section aria-labelledby="server">
        <h2 id="server">Server</h2>
        {terms && price && text !== undefined ? (
          <>
            <p>
              A complete server for Node 20.6 or later. It asks for your price, has the payment settled, and
              then does the work.
            </p>
            {terms.prices.length > 1 && (
              <SelectField
                name="price"
                label="Price"
                choices={Object.fromEntries(terms.prices.map(({ name }) => [name, name]))}
                value={price.name}
                change={choose}
              />
            )}
            <ol class="instructions">
              <li>
                Save this as <code>server.mjs</code>.<pre class="message">{text}</pre>
                <Copy text={text} label="Copy server" />
              </li>
              <li>
                Save the URL with your selling key next to it, in a file <code>.env</code>:{' '}
                <code>{VARIABLE}=…</code>
              </li>
              <li>
                Install the packages: <Id id={INSTALL} name="command" />
              </li>
              <li>
                Start it: <Id id={START} name="command" />
              </li>
            </ol>
            <p class="small">
              It listens on port {portOf(agent.apiEndpoint)}, or on the one in the environment variable{' '}
              <code>PORT</code>. Copy it again after you change the price or the address.
            </p>
          </>
        ) : (
          <Empty title="No server yet.">
            <p>
              <a href="#prices">Add a price</a> to get a server that asks for it.
            </p>
          </Empty>
        )}
      </section>
      {price && accepts && <Customer agent={agent} price={price} accepts={accepts} mint={mint} />}
    </>
  )
}
