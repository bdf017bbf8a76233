import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatedConnection, NewConnectionChoices } from '../../../client/generated/types.ts'
import { AllowanceFields, useAllowance } from '../../kit/allowance.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { type GrantablePermission, PERMISSIONS } from '../../kit/permissions.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { SignedForm, Signer } from '../../wallet/signed-form.tsx'

/** A connection that the visitor created, and the wallet that signed it. */
export type Created = CreatedConnection & { wallet: string }

/** How it proves itself: by a token, or by a key, which may still be missing. */
type Means = { kind: 'token' } | { kind: 'key'; key: string | undefined }

/**
 * Creates a connection without a program's request: the visitor chooses, and the wallet signs the choices.
 * Give it the wallet as its `key`.
 * @param firstName the name at first
 * @param terms the numbers of days to choose from
 * @param children further fields
 */
export function NewConnection({
  means,
  firstName,
  terms,
  label,
  onCreated,
  children,
}: {
  means: Means
  firstName: string
  terms: readonly NewConnectionChoices['days'][]
  label: string
  onCreated: (created: Created) => void
  children?: ComponentChildren
}) {
  const { client } = useConnection()
  const [name, setName] = useState(firstName)
  const allowance = useAllowance<NewConnectionChoices['days']>([])
  const choices = { name, ...allowance.choices, ...means }
  const isComplete = allowance.isComplete && (means.kind === 'token' || means.key !== undefined)
  return (
    <div class="card consent">
      <SignedForm
        label={label}
        isDisabled={!isComplete}
        challenge={(publicKey) =>
          client.call('POST /oauth/grants/challenge', { body: { ...choices, publicKey } })
        }
        submit={(proof) => client.call('POST /oauth/grants', { body: { ...choices, ...proof } })}
        onDone={(created, wallet) => onCreated({ ...created, wallet })}
      >
        <TextField
          name="name"
          label="Name"
          hint="Under “Connected apps” you see it by this name."
          value={name}
          change={setName}
        />
        {children}
        <AllowanceFields
          allowance={allowance}
          offered={Object.keys(PERMISSIONS) as GrantablePermission[]}
          label="It may also"
          terms={terms}
        />
        <Signer />
      </SignedForm>
    </div>
  )
}
