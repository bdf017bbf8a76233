import { useState } from 'preact/hooks'
import { base58, fromBase64 } from '../../client/encoding.ts'
import type { RegistrationRequest } from '../../client/index.ts'
import { ask } from '../../client/wallet.ts'
import { Form } from '../kit/form.tsx'
import { TextField } from '../kit/inputs.tsx'
import { useConnection } from '../wallet/connection.tsx'
import type { Draft } from './registration-draft.ts'

/** Shows what is registered and the message, has it signed by the wallet or takes the signature, and registers. */
export function RegistrationMessage({
  draft: { body, message },
  registered,
  back,
}: {
  draft: Draft
  registered: () => void
  back: () => void
}) {
  const { client, wallet } = useConnection()
  const [pasted, setPasted] = useState('')
  const signMessage = wallet?.publicKey === body.pubkey ? wallet.signMessage : undefined
  const sign = async () =>
    signMessage
      ? base58(await ask('sign the message', () => signMessage(fromBase64(message.messageBase64))))
      : pasted.trim()
  async function register() {
    // What is missing is the service's to say: it refuses the body by the names of its fields.
    const signed = { ...body, signature: await sign() } as RegistrationRequest
    await client.call('POST /registry/agents', { body: signed })
    back()
    registered()
  }
  const missing = message.missing.filter((field) => field !== 'signature')
  return (
    <>
      <h3>What is registered</h3>
      <pre class="message">{JSON.stringify(body, null, 2)}</pre>
      <h3>The message to sign</h3>
      <pre class="message">{message.message}</pre>
      <p class="small">The signature counts once, for what stands above, within five minutes from now.</p>
      {missing.length > 0 && (
        <p class="notice">
          The registration still lacks: <strong>{missing.join(', ')}</strong>.
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
            label="Signature of these bytes by the agent’s key"
            hint="Ed25519, in Base58"
            value={pasted}
            change={setPasted}
          />
        )}
      </Form>
      <p>
        <button type="button" onClick={back}>
          Change the registration
        </button>
      </p>
    </>
  )
}
