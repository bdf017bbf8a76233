import { createWallet, type KeyWallet } from '../../lib/cli/wallet.ts'
import type { Body } from './service.ts'

/** A manifest that is valid as it is, its members in no particular order. */
export const manifest = (changes: Body = {}): Body => ({
  version: 1,
  tenancy: 'single_principal',
  operationMode: 'on_demand',
  computePolicy: 'disabled',
  authority: {
    state: 'per_principal',
    credentials: 'per_principal',
    sensitiveActions: 'transaction_specific_review',
    audit: 'per_principal',
    approvals: 'per_principal_transaction_bound',
  },
  enterpriseDataBoundary: 'not_applicable',
  ...changes,
})

/** The canonical JSON of `manifest()`, written by hand. */
export const CANONICAL_MANIFEST =
  '{"authority":{"approvals":"per_principal_transaction_bound","audit":"per_principal","credentials":"per_principal","sensitiveActions":"transaction_specific_review","state":"per_principal"},"computePolicy":"disabled","enterpriseDataBoundary":"not_applicable","operationMode":"on_demand","tenancy":"single_principal","version":1}'

/** The registration message, written by hand: `message.template` of GET /registry/catalog. */
export const messageFor = (pubkey: unknown, timestamp: unknown, canonicalManifest?: string): string =>
  `AgentCred Agent Registration

Agent: ${pubkey}
Timestamp: ${timestamp}

By signing this message, I certify that I am the owner of this agent keypair and agree to the AgentCred Terms of Service.${
    canonicalManifest === undefined
      ? ''
      : `

Agent Service Manifest v1 (operator-declared):
${canonicalManifest}`
  }`

/** A registration without a manifest, valid and signed as it is; `changes` are made before signing. */
export function signed(timestamp: number, changes: Body = {}, wallet: KeyWallet = createWallet()): Body {
  return {
    name: 'Ledger Keeper',
    pubkey: wallet.publicKey,
    timestamp,
    agentType: 'personal',
    capabilities: ['shopping'],
    feeModel: 'free',
    signature: wallet.sign(messageFor(wallet.publicKey, timestamp)),
    ...changes,
  }
}

/** The same with `manifest()`, whose canonical JSON is given if it was changed. */
export const signedWithManifest = (
  timestamp: number,
  serviceManifest: Body = manifest(),
  canonical: string = CANONICAL_MANIFEST,
  wallet: KeyWallet = createWallet(),
): Body =>
  signed(
    timestamp,
    { serviceManifest, signature: wallet.sign(messageFor(wallet.publicKey, timestamp, canonical)) },
    wallet,
  )
