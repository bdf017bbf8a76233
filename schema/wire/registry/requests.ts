import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { OTHER_WALLET, WALLET } from '../../examples.ts'
import { BASE58_OF_64_BYTES } from '../../patterns.ts'
import { capabilities, manifestValues, registryAgentTypes, registryFeeModels } from '../../registry.ts'
import { body } from '../body.ts'
import { API_PROTOCOL, ApiProtocol, Integer, Signature, Url, WalletAddress } from '../common.ts'
import { Name, Prose } from '../text.ts'

const MAX_NAME_LENGTH = 64
const MAX_DESCRIPTION_LENGTH = 2000
/** The longest address by RFC 5321. */
const MAX_EMAIL_LENGTH = 254

const { authority } = manifestValues

const ServiceManifestAuthority = body('ServiceManifestAuthority', 'Whose authority the agent acts on.', {
  credentials: [v.picklist(authority.credentials), 'Whose credentials it uses.'],
  state: [v.picklist(authority.state), 'Whose state it keeps.'],
  approvals: [v.picklist(authority.approvals), 'What an approval is bound to.'],
  audit: [v.picklist(authority.audit), 'Whose audit trail it keeps.'],
  sensitiveActions: [v.picklist(authority.sensitiveActions), 'How sensitive actions are reviewed.'],
})

export const manifestExample: v.InferInput<typeof ServiceManifest> = {
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
}

/** Agent Service Manifest v1. Exactly these parts are required, since all of it is signed. */
export const ServiceManifest = body(
  'ServiceManifest',
  'Agent Service Manifest v1: declared by the operator, not verified. Every part is required.',
  {
    version: [v.picklist(manifestValues.version), 'Of the manifest.'],
    operationMode: [v.picklist(manifestValues.operationMode), 'When it operates.'],
    tenancy: [v.picklist(manifestValues.tenancy), 'How many principals one instance serves.'],
    authority: [ServiceManifestAuthority, 'Whose authority it acts on.'],
    enterpriseDataBoundary: [
      v.picklist(manifestValues.enterpriseDataBoundary),
      'What leaves an enterprise. company_hosted_no_raw_export affirms that a company-controlled integration exists and enforces that boundary.',
    ],
    computePolicy: [v.picklist(manifestValues.computePolicy), 'What it may compute elsewhere.'],
  },
)

const EmailAddress = v.pipe(
  v.string(),
  v.maxCodePoints(MAX_EMAIL_LENGTH),
  v.regex(
    /^[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@[A-Za-z0-9]+([.-][A-Za-z0-9]+)*\.[A-Za-z]{2,}$/,
    'must be an e-mail address',
  ),
)

const HttpUrl = Url('http', 'https')

/** Unix milliseconds, exactly as signed. A fraction or an inexact integer can't have been signed. */
const SignedTimestamp = Integer(0)

/** An example of a registration, from the message to the signed body without the signature. */
export const declarationExample: v.InferInput<typeof RegistrationMessageRequest> &
  Omit<v.InferInput<typeof RegistrationRequest>, 'signature'> = {
  name: 'Ledger Keeper',
  pubkey: OTHER_WALLET,
  timestamp: 1_795_165_200_000,
  agentType: 'defi',
  capabilities: ['portfolio', 'tax_optimization'],
  feeModel: 'percentage',
  feeAmount: 250,
  apiEndpoint: 'https://keeper.example.com/mcp',
  apiProtocol: 'mcp',
  developerPubkey: WALLET,
  contactEmail: 'ops@keeper.example.com',
  serviceManifest: manifestExample,
}

export const registrationFields = {
  name: 'Its name, 1 to 64 characters; names need not be unique.',
  pubkey: 'The agent’s public key: Base58 of 32 bytes.',
  signature: 'Base58 Ed25519 signature of the registration message.',
  timestamp: 'Unix milliseconds, exactly as in the signed message, within five minutes of the server’s time.',
  agentType: 'What the agent is for; the catalog says what each type means.',
  capabilities: 'Ids from the catalog, at least one; duplicates are removed.',
  feeModel: 'What the fee is for.',
  feeAmount:
    'Basis points for `percentage`, lamports for `flat` and `subscription`; any number from 0 to 2^53-1, stored as declared.',
  description: 'Up to 2000 characters.',
  website: 'http or https URL.',
  logoUrl: 'http or https URL.',
  apiEndpoint: 'http or https URL of an endpoint for a tool-calling protocol.',
  apiProtocol: API_PROTOCOL,
  developerPubkey: 'The developer’s wallet, as declared.',
  contactEmail: 'For the service only; never shown.',
  serviceManifest: 'The operator’s declarations about the service. They are part of the signed message.',
}

/** The fields of a signed registration. The signature covers some: `message` of GET /registry/catalog. */
export const RegistrationRequest = v.strictObject({
  name: Name(1, MAX_NAME_LENGTH),
  pubkey: WalletAddress,
  signature: Signature,
  timestamp: SignedTimestamp,
  agentType: v.picklist(registryAgentTypes),
  capabilities: v.pipe(
    v.array(v.picklist(capabilities)),
    v.minLength(1),
    v.maxLength(100),
    v.transform((ids) => [...new Set(ids)]),
  ),
  feeModel: v.picklist(registryFeeModels),
  feeAmount: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER))),
  description: v.optional(Prose(MAX_DESCRIPTION_LENGTH)),
  website: v.optional(HttpUrl),
  logoUrl: v.optional(HttpUrl),
  apiEndpoint: v.optional(HttpUrl),
  apiProtocol: v.optional(ApiProtocol),
  developerPubkey: v.optional(WalletAddress),
  contactEmail: v.optional(EmailAddress),
  serviceManifest: v.optional(ServiceManifest),
})

describe(RegistrationRequest, {
  name: 'RegistrationRequest',
  description: 'A signed registration. Unknown fields are rejected.',
  fields: registrationFields,
  example: {
    ...declarationExample,
    signature: '2CDipZriGTV3sAQW7ncR1xVwRGw5S9TDXWpgzueUJvzrYmndwayU9XvFsWwAvrUE25EMYs9J6ogfwpyBm8kb1jSy',
  },
})

/** Body of POST /registry/message: a registration; only the signed fields are required. */
export const RegistrationMessageRequest = v.strictObject({
  ...v.partial(RegistrationRequest).entries,
  pubkey: WalletAddress,
  timestamp: SignedTimestamp,
  // Checked by the schema, since nothing verifies the signature here.
  signature: v.optional(v.pipe(v.string(), v.regex(BASE58_OF_64_BYTES, 'must be Base58 of 64 bytes'))),
})

describe(RegistrationMessageRequest, {
  name: 'RegistrationMessageRequest',
  description: 'An incomplete registration. Unknown fields are rejected.',
  fields: registrationFields,
  example: declarationExample,
})
