import { useState } from 'preact/hooks'
import type { RegisteredAgent, RegistryCatalog } from '../../client/index.ts'
import { Show } from '../kit/loaded.tsx'
import { noneYet, useLoaded } from '../kit/query.ts'
import { Badge, Time } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { Endpoint } from './agent-facts.tsx'
import type { Draft } from './registration-draft.ts'
import { RegistrationForm } from './registration-form.tsx'
import { RegistrationMessage } from './registration-message.tsx'

/** A registration that an agent's own key signs: what it says, the message, the signature. */
export function SignedRegistry({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(wallet, async (signal) => {
    const [catalog, entry] = await Promise.all([
      client.call('GET /registry/catalog', { signal }),
      client.call('GET /registry/agents/{pubkey}', { path: { pubkey: wallet }, signal }).catch(noneYet),
    ])
    return { catalog, entry }
  })
  return (
    <>
      <p>
        The agent’s own key signs its registration, without a session. The key of the connected wallet signs
        here; of any other, bring the signature.
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ catalog, entry }) => (
          <>
            {entry && <Entry entry={entry} />}
            <Registration wallet={wallet} catalog={catalog} changed={reload} />
          </>
        )}
      </Show>
    </>
  )
}

function Registration({
  wallet,
  catalog,
  changed,
}: {
  wallet: string
  catalog: RegistryCatalog
  changed: () => void
}) {
  const [draft, setDraft] = useState<Draft>()
  return draft ? (
    <RegistrationMessage draft={draft} registered={changed} back={() => setDraft(undefined)} />
  ) : (
    <RegistrationForm wallet={wallet} catalog={catalog} drafted={setDraft} />
  )
}

const Entry = ({ entry }: { entry: RegisteredAgent }) => (
  <div class="card">
    <h3>
      {entry.name} <Badge tone={entry.status === 'active' ? 'good' : 'bad'}>{entry.status}</Badge>
    </h3>
    <p>
      This key is registered since <Time at={entry.registeredAt} />, last changed{' '}
      <Time at={entry.updatedAt} />. Registering it again replaces the whole entry.
    </p>
    {entry.statusReason && <p>“{entry.statusReason}”</p>}
    <div>
      Endpoint: <Endpoint agent={entry} />
    </div>
  </div>
)
