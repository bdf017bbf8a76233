import type { ComponentChildren } from 'preact'
import { formatCred } from '../../client/index.ts'
import { formatTime } from '../locale.ts'
import { addressOf, show } from '../router.ts'
import { CHAIN } from '../wallet/chain.ts'
import { roundedCred } from './amounts.ts'
import { CopyIcon } from './copy.tsx'
import { explorerUrl } from './explorer.ts'

/** Shows an amount in CRED, exactly. */
export const Cred = ({ amount }: { amount: bigint }) => (
  <span class="amount">
    {formatCred(amount)} <abbr title="CRED token">CRED</abbr>
  </span>
)

/** Shows an amount in CRED with at most four decimals, rounded down; exactly in its title. */
export const RoundedCred = ({ amount }: { amount: bigint }) => (
  <span class="amount" title={`${formatCred(amount)} CRED`}>
    {roundedCred(amount)} <abbr title="CRED token">CRED</abbr>
  </span>
)

/** Returns the first and last characters of an address. */
const shortOf = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`

/** An address, shortened: for inside of buttons and the like. All of it is in the title. */
export const Address = ({ address }: { address: string }) => <code title={address}>{shortOf(address)}</code>

/**
 * Something on the chain, shortened, linked to the explorer of a public chain, with a button that copies it.
 */
function OnChain({ kind, id, label }: { kind: 'address' | 'tx'; id: string; label: string }) {
  const url = explorerUrl(CHAIN, kind, id)
  return (
    <span class="copied">
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          <Address address={id} />
        </a>
      ) : (
        <Address address={id} />
      )}
      <CopyIcon text={id} label={label} />
    </span>
  )
}

/** An address with a button that copies all of it, linked to the explorer of a public chain. */
export const Wallet = ({ address }: { address: string }) => (
  <OnChain kind="address" id={address} label={`Copy address ${shortOf(address)}`} />
)

/** A public key that is no wallet, shortened, with a button that copies all of it. */
export const PublicKey = ({ publicKey }: { publicKey: string }) => (
  <span class="copied">
    <Address address={publicKey} />
    <CopyIcon text={publicKey} label={`Copy key ${shortOf(publicKey)}`} />
  </span>
)

/** A transaction by its signature, as an address. */
export const Signature = ({ signature }: { signature: string }) => (
  <OnChain kind="tx" id={signature} label={`Copy transaction signature ${shortOf(signature)}`} />
)

/**
 * An id with a button that copies it.
 * @param name of the id on the button, such as `hire ID`
 */
export const Id = ({ id, name }: { id: string; name: string }) => (
  <span class="copied">
    <code>{id}</code>
    <CopyIcon text={id} label={`Copy ${name}`} />
  </span>
)

/** Shows a time in the reader's zone. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {formatTime(at)}
  </time>
)

/** A link to another view of the console, without loading a page. */
export const Link = ({
  to,
  isCurrent,
  children,
  ...rest
}: {
  to: string
  isCurrent?: boolean
  class?: string
  children: ComponentChildren
}) => (
  <a
    {...rest}
    href={addressOf(to)}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={(event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      show(to)
    }}
  >
    {children}
  </a>
)

/** Shows a state in one word, by colour and text. */
export const Badge = ({
  tone,
  children,
}: {
  tone: 'good' | 'warn' | 'bad' | 'plain'
  children: ComponentChildren
}) => <span class={`badge ${tone}`}>{children}</span>
