import { Field, Form } from '../kit/form.tsx'
import { TextField } from '../kit/inputs.tsx'
import { filled, useDraft } from '../kit/values.ts'
import { useConnection } from '../wallet/connection.tsx'

const EMPTY = {
  credentialType: '',
  credentialId: '',
  issuingAuthority: '',
  issuedDate: '',
  expiryDate: '',
  documentUrl: '',
}

/** A new attestation. What is left empty is not sent. */
export function AttestForm({ changed }: { changed: () => void }) {
  const { client } = useConnection()
  const { draft, field, clear } = useDraft(EMPTY)
  async function attest() {
    const { credentialType, credentialId } = draft
    await client.call('POST /reputation/attest/skill', {
      body: { ...filled(draft), credentialType, credentialId },
    })
    clear()
    changed()
  }
  return (
    <>
      <h3>Record a credential</h3>
      <Form label="Record it" action={attest}>
        <div class="row">
          <TextField {...field('credentialType')} label="Kind" hint="Such as: certification" />
          <TextField
            {...field('credentialId')}
            label="Its id"
            hint="With its issuer, or the account of the Solana Attestation Service"
          />
          <TextField {...field('issuingAuthority')} label="Issuer (optional)" />
        </div>
        <div class="row">
          <DateField {...field('issuedDate')} label="Issued on (optional)" />
          <DateField {...field('expiryDate')} label="Valid until (optional)" />
          <TextField
            {...field('documentUrl')}
            inputMode="url"
            label="Document (optional)"
            hint="An https link; only oracles see it"
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
