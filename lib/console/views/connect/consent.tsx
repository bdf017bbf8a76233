import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AuthorizationRequest, ConsentChoices } from '../../../client/generated/types.ts'
import type { LoginMethod } from '../../../client/index.ts'
import { signChallenge } from '../../../client/login.ts'
import { DAY_MS } from '../../clock.ts'
import { Form } from '../../kit/form.tsx'
import { AmountField, CheckField, ChecksField, SelectField, useAmount } from '../../kit/inputs.tsx'
import { NeedsWallet } from '../../kit/pages.tsx'
import { type GrantablePermission, permissionLabel, READING } from '../../kit/permissions.ts'
import { Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { AccountName } from '../../wallet/dialog.tsx'
import { Signing } from '../../wallet/other-logins.tsx'
import { useAttention } from './attention.ts'
import { wayBackOf } from './texts.ts'

/** How long a connection lasts: one of these numbers of days. */
const TERMS = { 1: '1 day', 30: '30 days', 90: '90 days' } as const
type Days = keyof typeof TERMS

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
  const { address, now } = useConnection()
  const [permissions, setPermissions] = useState<GrantablePermission[]>(asked)
  const limit = useAmount('100')
  const [isUnlimited, setUnlimited] = useState(false)
  const [days, setDays] = useState<`${Days}`>('30')
  const mayHire = permissions.includes('agents:hire')
  const choices: Choices = {
    request,
    permissions,
    spendLimit: mayHire && !isUnlimited ? limit.typed.amount : undefined,
    days: Number(days) as Days,
  }
  const isComplete = !mayHire || isUnlimited || limit.typed.amount !== undefined
  const refusal = (
    <a class="button" href={refuseUrl}>
      Refuse and {wayBackOf(destination)}
    </a>
  )
  const fields = (
    <>
      <h2>What it may do</h2>
      <p>{READING}.</p>
      {asked.length > 0 && (
        <ChecksField
          name="permissions"
          label="It also asks to"
          choices={asked}
          labelOf={permissionLabel}
          value={permissions}
          change={setPermissions}
        />
      )}
      {mayHire && (
        <>
          {!isUnlimited && (
            <AmountField
              name="spendLimit"
              label="Spending limit in total, in CRED"
              hint="The budgets of all agents that it hires add up to at most this."
              {...limit}
            />
          )}
          <CheckField label="No spending limit" isChecked={isUnlimited} change={setUnlimited} />
        </>
      )}
      <p>It can’t move funds: every payment needs a signature in your wallet.</p>
      <SelectField
        name="days"
        label="For how long"
        choices={TERMS}
        value={days}
        change={setDays}
        hint={
          <>
            Until <Time at={new Date(now() + Number(days) * DAY_MS).toISOString()} />. You can end it earlier
            under “Connected apps” in the wallet menu.
          </>
        }
      />
    </>
  )
  return (
    <div class="card consent">
      {address === undefined && fields}
      <NeedsWallet why="Connect the wallet that it may use.">
        {(wallet) => (
          <Allow
            key={wallet}
            choices={choices}
            isComplete={isComplete}
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
  const { client, wallet, standing } = useConnection()
  const isAttended = useAttention()
  const isDisabled = !isAttended || !isComplete
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  async function allow(method?: LoginMethod) {
    if (!wallet) return
    const body = { ...choices, publicKey: wallet.publicKey }
    const challenge = await client.call('POST /oauth/challenge', { body })
    const { redirectTo } = await signChallenge(
      wallet,
      challenge,
      (proof) => client.call('POST /oauth/consent', { body: { ...choices, ...proof } }),
      method,
      () => isHere.current,
    )
    // Another account may be connected by now.
    if (isHere.current) onAllowed(redirectTo)
  }
  return (
    <Signing.Provider value={{ sign: allow, isDisabled }}>
      <Form label="Allow" action={() => allow()} isDisabled={isDisabled} beside={refusal}>
        {children}
        <h2>Your wallet</h2>
        {standing.state === 'connected' && (
          <p>
            <AccountName account={standing.account} />
          </p>
        )}
        <p class="small">Your wallet asks you to sign these choices. That costs nothing.</p>
      </Form>
      {!isAttended && <p class="small">“Allow” works once this page was in front for a second.</p>}
    </Signing.Provider>
  )
}
