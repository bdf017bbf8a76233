import { json } from '../../lib/http/json.ts'
import { operationFor } from '../../lib/http/operation.ts'
import { SETTLE_LEASE_MS } from '../../lib/transactions/relay/limits.ts'
import { openVault } from '../../lib/vault/read.ts'
import { vaultTerms } from '../../lib/vault/terms.ts'
import { quoteView, vaultTermsView, vaultView } from '../../lib/vault/views.ts'
import { span } from '../../schema/figures.ts'
import { Quote, QuoteQuery, Vault, VaultQuery, VaultTerms } from '../../schema/wire/vault.ts'
import type { Deps } from './deps.ts'
import { transactionRoutes } from './transaction-routes.ts'

const operation = operationFor<Cloudflare.VaultEnv, Deps>()

export const routes = [
  operation({
    method: 'GET',
    path: '/vault',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: VaultQuery,
    docs: {
      id: 'getVault',
      summary: 'Read an owner’s vault',
      description: `Balances and positions that are not withdrawn. Reads open transactions from the chain, at most every ${span(SETTLE_LEASE_MS, 'second')} for each owner. If the chain is unreachable, returns the last recorded state.`,
      answers: {
        200: {
          description: 'The vault.',
          schema: Vault,
          links: { claim: { positionId: '#/positions/0/id' }, unstack: { positionId: '#/positions/0/id' } },
        },
      },
      errors: ['vault_not_found', 'dependency_unavailable'],
    },
    handle: async ({ deps, query, now }) => json(vaultView(await openVault(deps, query.owner), now)),
  }),
  operation({
    method: 'GET',
    path: '/vault/terms',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    docs: {
      id: 'getVaultTerms',
      summary: 'Read the staking terms',
      description: 'The mint and its authorities, the address of every key, the treasury, and the rates.',
      answers: { 200: { description: 'The terms.', schema: VaultTerms } },
      errors: ['mint_not_supported', 'dependency_unavailable'],
    },
    handle: async ({ deps }) => json(vaultTermsView(await vaultTerms(deps))),
  }),
  operation({
    method: 'GET',
    path: '/vault/quote',
    access: 'public',
    limit: 'READ_LIMIT',
    conditional: true,
    query: QuoteQuery,
    docs: {
      id: 'getQuote',
      summary: 'Quote a stake',
      description: 'Simple interest over the whole term, if it began now.',
      answers: { 200: { description: 'The quote.', schema: Quote } },
      errors: [],
    },
    handle: ({ query, now }) => json(quoteView(query, now)),
  }),
  ...transactionRoutes,
]
