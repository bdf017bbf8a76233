import { Field, Form } from '../kit/form.tsx'
import { TextField } from '../kit/inputs.tsx'
import { useTexts } from '../kit/values.ts'
import { useConnection } from '../wallet/connection.tsx'

const FIELDS = [
  'credentialType',
  'credentialId',
  'issuingAuthority',
  'issuedDate',
  'expiryDate',
  'documentUrl',
] as const

/** A new attestation. What is left empty is not sent. */
export function AttestForm({ changed }: { changed: () => void }) {
  const { client } = useConnection()
  const { texts, bound, given, clear } = useTexts(FIELDS)
  async function attest() {
    const { credentialType, credentialId } = texts
    await client.call('POST /reputation/attest/skill', {
      body: { ...given(), credentialType, credentialId },
    })
    clear()
    changed()
  }
  return (
    <>
      <h3>Record a credential</h3>
      <Form label="Record it" action={attest}>
        <div class="row">
          <TextField {...bound('credentialType')} label="Kind" hint="Such as: certification" />
          <TextField
            {...bound('credentialId')}
            label="Its id"
            hint="With its issuer, or the account of the Solana Attestation Service"
          />
          <TextField {...bound('issuingAuthority')} label="Issuer (optional)" />
        </div>
        <div class="row">
          <DateField {...bound('issuedDate')} label="Issued on (optional)" />
          <DateField {...bound('expiryDate')} label="Valid until (optional)" />
          <TextField
            {...bound('documentUrl')}
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
