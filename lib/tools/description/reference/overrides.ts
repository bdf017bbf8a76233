import {
  AGENT_ID,
  AGENTS_HIRE_ID,
  HIRE_ID,
  HIRERS_ATTESTATION_ID,
  MCP_AGENT_ID,
  OTHER_AGENT_ID,
  OTHER_WALLET,
  WALLET,
} from '../../../../schema/examples.ts'

/** Where the samples' program listens, and the challenge of the verifier in POST /oauth/token's example. */
const REDIRECT_URI = 'http://localhost:33418/callback'
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

type Override = { path?: object; query?: object; body?: object }

/**
 * The samples' values instead of an operation's examples, by operation: ids of the other side in the example
 * market (lib/cli/example/named.ts), and variables. `$NAME` is a text, `#NAME` a number; undefined omits a
 * field.
 */
export const OVERRIDES: Readonly<Record<string, Override>> = {
  login: { body: { nonce: '$NONCE', signature: '$SIGNATURE' } },
  getAuthorizationRequest: {
    query: {
      client_id: '$CLIENT',
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      code_challenge: CODE_CHALLENGE,
      code_challenge_method: 'S256',
      scope: 'agents:hire',
    },
  },
  getConsentChallenge: { body: { request: '$REQUEST' } },
  giveConsent: { body: { request: '$REQUEST', nonce: '$NONCE', signature: '$SIGNATURE' } },
  createConnection: { body: { nonce: '$NONCE', signature: '$SIGNATURE' } },
  getTokens: { body: { client_id: '$CLIENT', code: '$CODE', redirect_uri: REDIRECT_URI } },
  endConnection: { path: { id: '$CONNECTION' } },
  hireAgent: { body: { agentId: OTHER_AGENT_ID, layers: [10] } },
  getAgentCard: { path: { id: OTHER_AGENT_ID } },
  getMcpServerCard: { path: { id: MCP_AGENT_ID } },
  unstack: { body: { positionId: 1 } },
  claim: { body: { positionId: 1 } },
  relayTransaction: { body: { id: '$ID', transaction: '$TRANSACTION' } },
  listCharges: { query: { hireId: AGENTS_HIRE_ID } },
  chargeHire: { body: { hireId: AGENTS_HIRE_ID } },
  collect: { body: { hireId: AGENTS_HIRE_ID } },
  relayPayment: { body: { id: '$ID', transaction: '$TRANSACTION' } },
  getX402Supported: { path: { key: '$KEY' } },
  verifyX402Payment: { path: { key: '$KEY' } },
  settleX402Payment: { path: { key: '$KEY' } },
  listX402ResourcesByKey: { path: { key: '$KEY' } },
  searchX402ResourcesByKey: { path: { key: '$KEY' } },
  decideAttestation: { body: { attestationId: HIRERS_ATTESTATION_ID } },
  registerSignedAgent: {
    body: { timestamp: '#TIMESTAMP', serviceManifest: undefined, signature: '$SIGNATURE' },
  },
  getRegisteredAgentCard: { path: { pubkey: WALLET } },
  getEntry: { path: { identifier: `urn:air:agent.localhost:agent:${OTHER_AGENT_ID}` } },
}

/** Shell lines before an operation's sample, with functions from the guide "Try the examples". */
export const BEFORE: Readonly<Record<string, string>> = {
  login: 'sign_challenge wallet.pem',
  getAuthorizationRequest: 'ask_for_access',
  getConsentChallenge: 'ask_for_access',
  giveConsent: 'sign_consent',
  getTokens: 'allow_access',
  createConnection: 'sign_connection',
  endConnection: 'connect_program',
  openCollector: 'log_in agent.pem # its wallet has no payout account; log_in wallet.pem afterwards',
  relayTransaction: `sign_transaction /vault/stack '{"amount": 1000000000, "lockDays": 30}'`,
  relayPayment: `sign_transaction /payments/budgets '{"hireId": "${HIRE_ID}", "amount": 1000000000}'`,
  registerSignedAgent: `sign_registration ${OTHER_WALLET}`,
  getX402Supported: `make_key ${AGENT_ID}`,
  verifyX402Payment: `make_key ${AGENT_ID}`,
  settleX402Payment: `make_key ${AGENT_ID}`,
  listX402ResourcesByKey: `make_key ${AGENT_ID}`,
  searchX402ResourcesByKey: `make_key ${AGENT_ID}`,
}
