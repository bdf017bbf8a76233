/**
 * Values that several examples of the API description share.
 * The example market of the local platform has these wallets and ids (lib/cli/example/named.ts).
 */
export const WALLET = '8tRYXoQUQSqo8E8vVaxRT7MWBXH6YgeSKRwAE8FECRJe'
export const OTHER_WALLET = 'HGf621eQ4F89Kqz1rG11YXPcb3Hus3JMp2gbjhQVzNXa'
/** An agent of WALLET. */
export const AGENT_ID = '01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d'
/** An agent of another owner, which speaks A2A, and one that speaks MCP. */
export const OTHER_AGENT_ID = '01938f3e-9a7b-7d2f-8e1c-4b6d8f0a2c3e'
export const MCP_AGENT_ID = '01938f3e-ab8c-7e30-9f2d-5c7e901b3d4f'
/** A hire by WALLET. */
export const JOB_ID = '01938f48-9cad-7ebf-8021-3c4d5e6f7081'
export const HIRE_ID = '01938f40-1c2d-7e3f-8a4b-5c6d7e8f9a0b'
/** A hire of WALLET's agent AGENT_ID. */
export const AGENTS_HIRE_ID = '01938f40-2d3e-7f40-9b5c-6d7e8f9a0b1c'
export const BUDGET_ACCOUNT = 'BvzKvn6nUUAYtKu2pH3h5SbUkUNcRPQawg4bURBiojJx'
export const CHARGE_ID = '01938f46-7a8b-7c9d-8e0f-1a2b3c4d5e6f'
export const MINT = 'CREDm1ntxV3aGZ8Jq9Wn4TtkYbR6uPpD2eKsLhFfQzXo'
export const REQUEST_PAYMENT_ID = '01938f47-8b9c-7dae-8f10-2b3c4d5e6f70'
export const ATTESTATION_ID = '01938f42-3c4d-7e5f-9a6b-7c8d9e0f1a2b'
/** An attestation of another wallet. */
export const HIRERS_ATTESTATION_ID = '01938f42-4d5e-7f60-8b7c-8d9e0f1a2b3d'
export const CLIENT_ID = 'https://app.example.com/oauth-client.json'
export const AUTHORIZATION_REQUEST = 'eyJhbGciOiJFZERTQSIsInR5cCI6InJlcXVlc3Qrand0In0.e30.AA'
export const CONNECTION_ID = '01938f44-5e6f-7a7b-8c8d-9e9fa0b1c2d3'
export const RATING_ID = '01938f43-4d5e-7f6a-8b7c-8d9e0f1a2b3c'
/** The public key of an agent that acts for a wallet. */
export const AGENT_KEY = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'

export const GRANT_ID = '01938f4e-5e6f-7a7b-8c9d-1f2a3b4c5d6e'
export const TRANSACTION_ID = '01938f41-2b3c-7d4e-8f5a-6b7c8d9e0f1a'
export const FEE_PAYER = '4Nd1mYwqcmXyFuvGpLvMSpFQ8ZDVDsdjh1zrHcRkAsQv'
export const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const FACILITATOR_KEY = 'AZOPPo9qfB6dCzpcfp8bLQEAAAD3m2l0qTzv8b1o3Jd7mYkWcRk5sN2uXaE4hGvTfLpBdQ'
export const EVENT_ID = '01938f50-6f70-7b8c-8d9e-2f3a4b5c6d7e'
export const WEBHOOK_ENDPOINT_ID = '01938f51-7a80-7c9d-8e0f-3a4b5c6d7e8f'
export const WEBHOOK_SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
export const NONCE = '4f1c0a9be7d24c6f8a3b5d7e9f0a1c2e019aa093c3807d1e5b8f2a6c4d0e9b3f7a1c5d8e2f60'
/** The signature of a login and of a sent transaction. */
export const SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
export const VAULT = '6vYbqoVgYcVKk2BzpMbBdP7T7vjtBhBqJ7r2CkVmW1bN'
export const POSITION = '8dHEsuJBcFTuY5uZfPQhRH3m5nGQ5YgY5cmrtXdwDFhB'
export const TRANSACTION = 'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
/** The challenge in a request for a proof to a webhook endpoint. */
export const CHALLENGE = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY'
export const INVITE_CODE = 'CRED-7K3M9Q-XZ4T8B'
