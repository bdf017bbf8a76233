import type { ComponentChildren } from 'preact'
import type { AuthorizationRequest, ConsentChoices } from '../../../client/generated/types.ts'
import { AllowanceFields, useAllowance } from '../../kit/allowance.tsx'
import { NeedsWallet } from '../../kit/pages.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { SignedForm, Signer } from '../../wallet/signed-form.tsx'
import { useAttention } from './attention.ts'
import { wayBackOf } from './texts.ts'

/** How long a connection lasts: one of these numbers of days. */
const TERMS = [1, 30, 90] as const

/** What a visitor allows. */
type Choices = Omit<ConsentChoices, 'publicKey' | 'spendLimit'> & { spendLimit: bigint | undefined }

/** Lets the visitor choose what a program may do and for how long, and allow or refuse it. */
export function Consent({
  request,
  permissions: asked,
  destination,
  refuseUrl,
  onAllowed,
}: Pick<AuthorizationRequest, 'permissions' | 'destination' | 'refuseUrl'> & {
  request: string
  /** Receives the URL that takes the answer to the program. */
  onAllowed: (redirectTo: string) => void
}) {
  const { address } = useConnection()
  const allowance = useAllowance<(typeof TERMS)[number]>(asked)
  const refusal = (
    <a class="button" href={refuseUrl}>
      Refuse and {wayBackOf(destination)}
    </a>
  )
  const fields = (
    <>
      <h2>What it may do</h2>
      <AllowanceFields allowance={allowance} offered={asked} label="It also asks to" terms={TERMS} />
    </>
  )
  return (
    <div class="card consent">
      {address === undefined && fields}
      <NeedsWallet why="Connect the wallet that it may use.">
        {(wallet) => (
          <Allow
            key={wallet}
            choices={{ request, ...allowance.choices }}
            isComplete={allowance.isComplete}
            onAllowed={onAllowed}
            refusal={refusal}
          >
            {fields}
          </Allow>
        )}
      </NeedsWallet>
      {address === undefined && refusal}
    </div>
  )
}

/** The button that has the wallet sign the choices. It does nothing until the page was in front for a second. */
function Allow({
  choices,
  isComplete,
  onAllowed,
  refusal,
  children,
}: {
  choices: Choices
  isComplete: boolean
  onAllowed: (redirectTo: string) => void
  /** The link that refuses. */
  refusal: ComponentChildren
  children: ComponentChildren
}) {
  const { client } = useConnection()
  const isAttended = useAttention()
  return (
    <>
      <SignedForm
        label="Allow"
        beside={refusal}
        isDisabled={!isAttended || !isComplete}
        challenge={(publicKey) => client.call('POST /oauth/challenge', { body: { ...choices, publicKey } })}
        submit={(proof) => client.call('POST /oauth/consent', { body: { ...choices, ...proof } })}
        onDone={({ redirectTo }) => onAllowed(redirectTo)}
      >
        {children}
        <h2>Your wallet</h2>
        <Signer />
      </SignedForm>
      {!isAttended && <p class="small">“Allow” works once this page was in front for a second.</p>}
    </>
  )
}
