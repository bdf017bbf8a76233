import { useState } from 'preact/hooks'
import type { Attestation } from '../../../client/index.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Field, Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Empty, Failure, Show } from '../../kit/loaded.tsx'
import { useLoaded, useRepeated } from '../../kit/query.ts'
import { Badge, Time } from '../../kit/text.tsx'
import { filled, useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'

const LEVELS: Record<Attestation['verificationLevel'], string> = {
  on_chain_proven: 'proven on-chain',
  third_party_verified: 'verified by an oracle',
  document_submitted: 'document submitted',
  self_attested: 'self-reported',
}
/** Whether an oracle or an account on the chain has verified it. */
const isVerified = ({ verificationLevel: level }: Attestation) =>
  level === 'on_chain_proven' || level === 'third_party_verified'

/**
 * Lists a wallet's attestations with type, level, points and dates. The wallet itself can also add one and
 * request verification.
 */
export const Attestations = ({
  attestations,
  isOwn,
  onChanged,
}: {
  attestations: readonly Attestation[]
  isOwn: boolean
  onChanged: () => void
}) => (
  <section aria-labelledby="attestations">
    <h2 id="attestations">Credentials</h2>
    {attestations.length === 0 && (
      <Empty title="No credentials yet.">
        {isOwn && <p>Add a credential below, then request verification.</p>}
      </Empty>
    )}
    <ul class="cards">
      {attestations.map((attestation) => (
        <li key={attestation.id} class="card">
          <h3>{attestation.credentialType}</h3>
          <p>
            <Badge tone={isVerified(attestation) ? 'good' : 'plain'}>
              {LEVELS[attestation.verificationLevel]}
            </Badge>{' '}
            {attestation.pointsAwarded} points
          </p>
          <p class="small">
            Added <Time at={attestation.createdAt} />
            {attestation.expiresAt && (
              <>
                , valid until <Time at={attestation.expiresAt} />
              </>
            )}
          </p>
          {isOwn && !isVerified(attestation) && (
            <Disclosure summary="Verification">
              <Verification id={attestation.id} />
            </Disclosure>
          )}
        </li>
      ))}
    </ul>
    {isOwn && <AttestForm onChanged={onChanged} />}
  </section>
)

const STATES = {
  // Also of an attestation for which nobody has requested verification.
  pending: 'Not reviewed yet.',
  in_review: 'An oracle is reviewing it.',
  verified: 'Verified.',
  rejected: 'Rejected.',
}

/** Shows the state of an attestation's verification. Its wallet can request one, again after a rejection. */
function Verification({ id }: { id: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(id, (signal) =>
    client.call('GET /reputation/verify', { query: { attestation_id: id }, signal }),
  )
  const [isAsked, setAsked] = useState(false)
  const { isBusy, error, run } = useAction(async () => {
    await client.call('POST /reputation/verify', { body: { attestation_id: id } })
    setAsked(true)
    reload()
  })
  // A new request stays pending until a job run reviews it.
  useRepeated(isAsked && loaded.state === 'ready' && loaded.data.status === 'pending', reload)
  return (
    <Show loaded={loaded} reload={reload}>
      {({ status, reason }) => (
        <>
          <p role="status">
            {STATES[status]}
            {reason && ` “${reason}”`}
          </p>
          {(status === 'rejected' || (status === 'pending' && !isAsked)) && (
            <Button isBusy={isBusy} onClick={run}>
              Request verification
            </Button>
          )}
          {error && <Failure error={error} />}
        </>
      )}
    </Show>
  )
}

const EMPTY = {
  credentialType: '',
  credentialId: '',
  issuingAuthority: '',
  issuedDate: '',
  expiryDate: '',
  documentUrl: '',
}

/** The form for a new attestation. Empty fields are not sent. */
function AttestForm({ onChanged }: { onChanged: () => void }) {
  const { client } = useConnection()
  const { draft, field, clear } = useDraft(EMPTY)
  async function attest() {
    const { credentialType, credentialId } = draft
    await client.call('POST /reputation/attest/skill', {
      body: { ...filled(draft), credentialType, credentialId },
    })
    clear()
    onChanged()
  }
  return (
    <>
      <h3>Add a credential</h3>
      <Form label="Add credential" action={attest}>
        <div class="row">
          <TextField {...field('credentialType')} label="Type" hint="For example certification" />
          <TextField
            {...field('credentialId')}
            label="Credential ID"
            hint="From the issuer, or the address of a Solana Attestation Service account"
          />
          <TextField {...field('issuingAuthority')} label="Issuer (optional)" />
        </div>
        <div class="row">
          <DateField {...field('issuedDate')} label="Issue date (optional)" />
          <DateField {...field('expiryDate')} label="Expiry date (optional)" />
          <TextField
            {...field('documentUrl')}
            inputMode="url"
            label="Document URL (optional)"
            hint="https; only oracles can see it"
          />
        </div>
      </Form>
    </>
  )
}

const DateField = ({
  value,
  change,
  ...field
}: {
  name: string
  label: string
  value: string
  change: (value: string) => void
}) => (
  <Field {...field}>
    {(control) => (
      <input {...control} type="date" value={value} onInput={(event) => change(event.currentTarget.value)} />
    )}
  </Field>
)
