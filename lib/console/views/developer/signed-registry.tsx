import { useState } from 'preact/hooks'
import { base58, fromBase64 } from '../../../client/encoding.ts'
import type { RegisteredAgent, RegistrationRequest, RegistryCatalog } from '../../../client/index.ts'
import { ask } from '../../../client/wallet.ts'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Show } from '../../kit/loaded.tsx'
import { noneYet, useLoaded } from '../../kit/query.ts'
import { Badge, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { Endpoint } from '../agents/facts.tsx'
import type { Draft } from './registration-draft.ts'
import { RegistrationForm } from './registration-form.tsx'

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
        Register an agent with a signature of its own key. If that key is your connected wallet, sign here.
        For any other key, paste the signature.
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ catalog, entry }) => (
          <>
            {entry && <Entry entry={entry} />}
            <Registration wallet={wallet} catalog={catalog} onChanged={reload} />
          </>
        )}
      </Show>
    </>
  )
}

function Registration({
  wallet,
  catalog,
  onChanged,
}: {
  wallet: string
  catalog: RegistryCatalog
  onChanged: () => void
}) {
  const [draft, setDraft] = useState<Draft>()
  return draft ? (
    <RegistrationMessage draft={draft} onRegistered={onChanged} back={() => setDraft(undefined)} />
  ) : (
    <RegistrationForm wallet={wallet} catalog={catalog} onDrafted={setDraft} />
  )
}

const Entry = ({ entry }: { entry: RegisteredAgent }) => (
  <div class="card">
    <h3>
      {entry.name} <Badge tone={entry.status === 'active' ? 'good' : 'bad'}>{entry.status}</Badge>
    </h3>
    <p>
      Registered <Time at={entry.registeredAt} />, updated <Time at={entry.updatedAt} />. Registering this key
      again replaces the whole entry.
    </p>
    {entry.statusReason && <p>“{entry.statusReason}”</p>}
    <div>
      Endpoint: <Endpoint agent={entry} />
    </div>
  </div>
)

/**
 * Shows the registration and its message, has it signed by the wallet or takes the signature, and registers.
 */
function RegistrationMessage({
  draft: { body, message },
  onRegistered,
  back,
}: {
  draft: Draft
  onRegistered: () => void
  back: () => void
}) {
  const { client, wallet } = useConnection()
  const [pasted, setPasted] = useState('')
  const signMessage = wallet?.publicKey === body.pubkey ? wallet.signMessage : undefined
  async function sign() {
    if (!signMessage) return pasted.trim()
    const signed = await ask('sign the message', () => signMessage(fromBase64(message.namedMessageBase64)))
    return base58(signed instanceof Uint8Array ? signed : signed.signature)
  }
  async function register() {
    // The service checks for missing fields: it rejects the body and names them.
    const signed = { ...body, signature: await sign() } as RegistrationRequest
    await client.call('POST /registry/agents', { body: signed })
    back()
    onRegistered()
  }
  const missing = message.missing.filter((field) => field !== 'signature')
  return (
    <>
      <h3>Registration</h3>
      <pre class="message">{JSON.stringify(body, null, 2)}</pre>
      <h3>Message to sign</h3>
      <pre class="message">{message.namedMessage}</pre>
      <p class="small">The signature is valid once, for this registration, within the next five minutes.</p>
      {missing.length > 0 && (
        <p class="notice">
          Still missing: <strong>{missing.join(', ')}</strong>.
        </p>
      )}
      <Form
        label={signMessage ? 'Sign and register' : 'Register'}
        isDisabled={missing.length > 0 || (!signMessage && pasted.trim() === '')}
        action={register}
      >
        {!signMessage && (
          <TextField
            name="signature"
            label="Signature by the agent’s key"
            hint="Ed25519, in Base58"
            value={pasted}
            change={setPasted}
          />
        )}
      </Form>
      <p>
        <button type="button" onClick={back}>
          Edit registration
        </button>
      </p>
    </>
  )
}
