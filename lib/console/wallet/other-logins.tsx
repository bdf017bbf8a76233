import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { AgentCredError, LoginMethod } from '../../client/index.ts'
import { Button } from '../kit/button.tsx'
import { errorOf } from '../kit/query.ts'
import { useConnection } from './connection.tsx'

const LABELS: Record<LoginMethod, string> = {
  signIn: 'Sign in with Solana',
  signOffchainMessage: 'Sign an off-chain message',
  signMessage: 'Sign a plain message',
}

/** What another method signs in a part of a page, and whether it may not now. By default a login. */
export const Signing = createContext<
  { sign: (method: LoginMethod) => Promise<void>; isDisabled: boolean } | undefined
>(undefined)

/**
 * Offers the wallet's other ways to sign, after a login that the wallet or the service refused. The wallet is
 * asked only after a click.
 * @param again repeats the read that needed the login
 */
export function OtherLogins({
  refused,
  again,
}: {
  refused: AgentCredError
  again?: (() => void) | undefined
}) {
  const { client } = useConnection()
  const signing = useContext(Signing)
  const [busy, setBusy] = useState<LoginMethod>()
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<AgentCredError>()
  const { loginMethods = [] } = error ?? refused

  async function sign(method: LoginMethod) {
    setBusy(method)
    setError(undefined)
    try {
      if (signing) return await signing.sign(method)
      await client.login({ method })
      setDone(true)
      again?.()
    } catch (cause) {
      setError(errorOf(cause))
    } finally {
      setBusy(undefined)
    }
  }

  if (isDone) return <p role="status">You are logged in. Repeat what you were doing.</p>
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      {loginMethods.length > 0 && (
        <>
          <p>You can also sign in another way, for example if your wallet declined without asking you:</p>
          <p>
            {loginMethods.map((method) => (
              <Button
                key={method}
                isBusy={busy === method}
                isDisabled={busy !== undefined || signing?.isDisabled === true}
                onClick={() => sign(method)}
              >
                {LABELS[method]}
              </Button>
            ))}
          </p>
        </>
      )}
      <p class="small">
        Not every wallet can sign messages with a hardware wallet: Phantom reportedly can’t with a Ledger. If
        yours fails, use the hardware wallet through another wallet extension, or choose another account.
      </p>
    </>
  )
}
