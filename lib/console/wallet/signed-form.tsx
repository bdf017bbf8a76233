import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { LoginMethod } from '../../client/index.ts'
import { type Proof, signChallenge } from '../../client/login.ts'
import type { Challenge } from '../../client/login-text.ts'
import { Form } from '../kit/form.tsx'
import { useConnection } from './connection.tsx'
import { AccountName } from './dialog.tsx'
import { Signing } from './other-logins.tsx'

/**
 * A form whose choices the connected wallet signs, as it signs a login. After a refusal, buttons offer the
 * wallet's other ways to sign. Give it the wallet as its `key`.
 * @param challenge asks the service for the text to sign
 * @param submit sends the choices with the signature
 * @param onDone receives the answer and the wallet, unless the form is gone by then
 */
export function SignedForm<Answer>({
  challenge,
  submit,
  onDone,
  label,
  beside,
  isDisabled = false,
  children,
}: {
  challenge: (publicKey: string) => Promise<Challenge>
  submit: (proof: Proof) => Promise<Answer>
  onDone: (answer: Answer, publicKey: string) => void
  label: string
  beside?: ComponentChildren
  isDisabled?: boolean
  children: ComponentChildren
}) {
  const { wallet } = useConnection()
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  async function sign(method?: LoginMethod) {
    if (!wallet) return
    const { publicKey } = wallet
    const asked = await challenge(publicKey)
    const answer = await signChallenge(wallet, asked, submit, method, () => isHere.current)
    // Another account may be connected by now.
    if (isHere.current) onDone(answer, publicKey)
  }
  return (
    <Signing.Provider value={{ sign, isDisabled }}>
      <Form label={label} action={() => sign()} isDisabled={isDisabled} beside={beside}>
        {children}
      </Form>
    </Signing.Provider>
  )
}

/** Names the account that signs, and says what the signature costs. */
export function Signer() {
  const { walletState } = useConnection()
  return (
    <>
      {walletState.state === 'connected' && (
        <p>
          <AccountName account={walletState.account} />
        </p>
      )}
      <p class="small">Your wallet asks you to sign these choices. That costs nothing.</p>
    </>
  )
}
