import type { VaultTerms } from '../../client/index.ts'
import { Disclosure } from '../kit/disclosure.tsx'
import { Cred, Wallet } from '../kit/text.tsx'

/** Who holds a stake, and what its yield is paid from. */
export const Terms = ({ terms }: { terms: VaultTerms }) => (
  <Disclosure summary="Who holds it, and what pays the yield">
    <p>
      A stake lies in an account of your own vault on the Token program. It moves when you and the service
      sign, or you and the recovery key, which is kept offline; the service alone can move nothing, and can’t
      change that. It can refuse to sign: then the recovery key is the way out.
    </p>
    <dl>
      <dt>Token</dt>
      <dd>
        <Wallet address={terms.mint} />
      </dd>
      <dt>The service’s key</dt>
      <dd>
        <Wallet address={terms.authority} />
      </dd>
      <dt>Recovery key</dt>
      <dd>
        <Wallet address={terms.recovery} />
      </dd>
      <dt>Yields come from</dt>
      <dd>
        <Wallet address={terms.treasury} />, which holds <Cred amount={terms.treasuryBalance} />
      </dd>
      <dt>Can mint more</dt>
      <dd>{terms.mintAuthority ? <Wallet address={terms.mintAuthority} /> : 'nobody'}</dd>
      <dt>Can freeze accounts</dt>
      <dd>{terms.freezeAuthority ? <Wallet address={terms.freezeAuthority} /> : 'nobody'}</dd>
    </dl>
  </Disclosure>
)
