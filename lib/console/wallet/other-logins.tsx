import { useState } from 'preact/hooks'
import type { AgentCredError, LoginMethod } from '../../client/index.ts'
import { Button } from '../kit/button.tsx'
import { errorOf } from '../kit/query.ts'
import { useConnection } from './connection.tsx'

const LABELS: Record<LoginMethod, string> = {
  signIn: 'Sign in with Solana',
  signOffchainMessage: 'Sign an off-chain message',
  signMessage: 'Sign a plain message',
}

/**
 * Offers the wallet's other ways to log in, after a login that the wallet or the service refused. The wallet
 * is asked only after a click.
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
  const [busy, setBusy] = useState<LoginMethod>()
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<AgentCredError>()
  const { loginMethods = [] } = error ?? refused

  async function logIn(method: LoginMethod) {
    setBusy(method)
    setError(undefined)
    try {
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
          <p>You can also log in another way, for example if your wallet declined without asking you:</p>
          <p>
            {loginMethods.map((method) => (
              <Button
                key={method}
                isBusy={busy === method}
                isDisabled={busy !== undefined}
                onClick={() => logIn(method)}
              >
                {LABELS[method]}
              </Button>
            ))}
          </p>
        </>
      )}
      <p class="small">
        Not every wallet can sign a login with a hardware wallet: Phantom reportedly can’t with a Ledger. If
        yours fails, use the hardware wallet through another wallet extension, or choose another account.
      </p>
    </>
  )
}
