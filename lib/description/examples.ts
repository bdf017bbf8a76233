/** Example values, the same throughout the document. */
export const WALLET = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
export const OTHER_WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
export const AGENT_ID = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
export const HIRE_ID = '01938f40-1c2d-7e3f-8a4b-5c6d7e8f9a0b'
export const NONCE = '4f1c0a9be7d24c6f8a3b5d7e9f0a1c2e'

export const ATTESTATION_ID = '01938f42-3c4d-7e5f-9a6b-7c8d9e0f1a2b'

export const agent = {
  id: AGENT_ID,
  pubkey: OTHER_WALLET,
  name: 'Yield Scout',
  agentType: 'autonomous',
  supportedLayers: [10, 17],
  feeModel: 'percentage',
  feeAmount: 500,
  reputationScore: 0,
  totalHires: 1,
  status: 'active',
  apiEndpoint: 'https://scout.example.com/api',
  logoUrl: 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  registeredAt: '2026-11-20T09:00:00.000Z',
}

export const ownAgent = { ...agent, totalHires: 0, webhookUrl: 'https://scout.example.com/hooks/agentcred' }

export const hire = {
  id: HIRE_ID,
  agent,
  layersEnabled: [17],
  budgetLimit: 5_000_000_000,
  autoRenew: false,
  status: 'active',
  hiredAt: '2026-11-20T09:05:00.000Z',
  expiresAt: '2026-12-20T09:05:00.000Z',
}

/** What an operator may declare of a registered agent. */
export const SERVICE_MANIFEST = {
  version: 1,
  operationMode: 'on_demand',
  tenancy: 'single_principal',
  authority: {
    credentials: 'per_principal',
    state: 'per_principal',
    approvals: 'per_principal_transaction_bound',
    audit: 'per_principal',
    sensitiveActions: 'transaction_specific_review',
  },
  enterpriseDataBoundary: 'not_applicable',
  computePolicy: 'disabled',
} as const
