import type { App } from '../../lib/http/app.ts'
import { publicRead } from '../../lib/http/caching.ts'
import { json } from '../../lib/http/json.ts'
import { limitByAddress, limitByWallet } from '../../lib/http/rate-limit.ts'
import { requireSession } from '../../lib/http/session.ts'
import { body, optionalBody, params, query } from '../../lib/http/validate.ts'
import { claim } from '../../lib/vault/claim.ts'
import { openVault } from '../../lib/vault/read.ts'
import { relay } from '../../lib/vault/relay.ts'
import { stack } from '../../lib/vault/stack.ts'
import { transactionStatus } from '../../lib/vault/status.ts'
import { vaultTerms } from '../../lib/vault/terms.ts'
import { unstack } from '../../lib/vault/unstack.ts'
import { quoteView, statusView, transactionView, vaultView } from '../../lib/vault/views.ts'
import {
  ClaimRequest,
  QuoteQuery,
  RelayRequest,
  StackRequest,
  TransactionPath,
  UnstackRequest,
  VaultQuery,
} from '../../schema/wire/vault.ts'
import type { Deps } from './deps.ts'

export function routes(app: App<Cloudflare.VaultEnv, Deps>) {
  const publicLimit = limitByAddress('READ_LIMIT')
  const session = requireSession('vault:transact')
  const walletLimit = limitByWallet('WALLET_LIMIT')

  app.get('/v1/vault', publicLimit, publicRead, query(VaultQuery), async (c) =>
    json(vaultView(await openVault(c.var.deps, c.req.valid('query').owner), c.var.now)),
  )

  app.get('/v1/vault/terms', publicLimit, publicRead, async (c) => json(await vaultTerms(c.var.deps)))

  app.get('/v1/vault/quote', publicLimit, publicRead, query(QuoteQuery), (c) =>
    json(quoteView(c.req.valid('query'), c.var.now)),
  )

  app.post('/v1/vault/stack', session, walletLimit, body(StackRequest), async (c) =>
    json(transactionView(await stack(c.var.deps, c.var.session.wallet, c.req.valid('json')))),
  )

  app.post('/v1/vault/unstack', session, walletLimit, body(UnstackRequest), async (c) =>
    json(transactionView(await unstack(c.var.deps, c.var.session.wallet, c.req.valid('json')))),
  )

  app.post('/v1/vault/claim', session, walletLimit, optionalBody(ClaimRequest), async (c) =>
    json(transactionView(await claim(c.var.deps, c.var.session.wallet, c.req.valid('json')))),
  )

  app.post('/v1/vault/transactions', session, walletLimit, body(RelayRequest), async (c) =>
    json(await relay(c.var.deps, c.var.session.wallet, c.req.valid('json'))),
  )

  app.get(
    '/v1/vault/transactions/:id{[0-9a-fA-F-]{36}}',
    publicLimit,
    publicRead,
    params(TransactionPath),
    async (c) => json(statusView(await transactionStatus(c.var.deps, c.req.valid('param').id))),
  )
}
