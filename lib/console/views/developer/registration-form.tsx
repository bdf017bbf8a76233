import type { RegistryCatalog } from '../../../client/index.ts'
import { amountOf, wholeUnit } from '../../kit/amounts.ts'
import { Form } from '../../kit/form.tsx'
import { AmountField, ChecksField, LinesField, SelectField, TextField } from '../../kit/inputs.tsx'
import { useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { ReachedAt } from '../agents/reached-at.tsx'
import { bodyOf, type Draft, EMPTY, messageFor } from './registration-draft.ts'

/** Asks what the registration is to say, and has the service write the message. */
export function RegistrationForm({
  wallet,
  catalog,
  onDrafted,
}: {
  wallet: string
  catalog: RegistryCatalog
  onDrafted: (draft: Draft) => void
}) {
  const { client } = useConnection()
  const { draft, field } = useDraft({ ...EMPTY, pubkey: wallet })
  const { feeModel, feeAmount } = draft
  const unit = wholeUnit(catalog.feeModels.find(({ id }) => id === feeModel)?.unit ?? 'units')
  const isUnclear = feeModel !== 'free' && feeAmount.trim() !== '' && amountOf(feeAmount, unit) === undefined
  const write = async () => onDrafted(await messageFor(client, bodyOf(draft)))
  return (
    <Form label="Review message" action={write} isDisabled={isUnclear}>
      <TextField
        {...field('pubkey')}
        label="Agent’s public key"
        hint="Base58. Defaults to the connected wallet."
      />
      <div class="row">
        <TextField {...field('name')} label="Name" hint="Up to 64 characters" />
        <SelectField {...field('agentType')} label="Type" choices={meaningsOf(catalog.agentTypes)} />
      </div>
      <ChecksField
        {...field('capabilities')}
        label="Capabilities"
        choices={catalog.capabilities.map(({ id }) => id)}
      />
      <div class="row">
        <SelectField {...field('feeModel')} label="Pricing" choices={meaningsOf(catalog.feeModels)} />
        {feeModel !== 'free' && (
          <AmountField {...field('feeAmount')} label="Fee" unit={unit} hint={`In ${unit.name}`} />
        )}
      </div>
      <TextField {...field('description')} label="Description (optional)" />
      <ReachedAt url={field('apiEndpoint')} protocol={field('apiProtocol')} />
      <div class="row">
        <TextField {...field('website')} inputMode="url" label="Website (optional)" />
        <TextField {...field('logoUrl')} inputMode="url" label="Logo URL (optional)" />
        <TextField
          {...field('contactEmail')}
          label="Email (optional)"
          hint="Only for the operator; never public"
        />
      </div>
      <LinesField
        {...field('serviceManifest')}
        label="Service manifest (optional)"
        hint="JSON. Part of the signed message; shown as declared by the agent, not verified."
      />
    </Form>
  )
}

/** `defi: trades and lends …`, by the catalog's own words. */
const meaningsOf = <Id extends string>(entries: readonly { id: Id; meaning: string }[]) =>
  Object.fromEntries(entries.map(({ id, meaning }) => [id, `${id}: ${meaning}`])) as Record<Id, string>
