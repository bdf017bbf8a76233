import {
  capabilities,
  capabilityLayers,
  manifestValues,
  type RegistryAgentType,
  type RegistryFeeModel,
  registryAgentTypes,
  registryFeeModels,
} from '../../schema/registry.ts'
import { apiProtocols } from '../../schema/values.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { RegistryCatalog } from '../../schema/wire/registry.ts'
import { manifestTemplate, messageTemplate, namedTemplate } from './message.ts'
import { TIMESTAMP_TOLERANCE_MS } from './rules.ts'
import { MANIFEST_STATUS } from './views.ts'

const agentTypeMeanings: Record<RegistryAgentType, string> = {
  personal: 'personal assistants for individuals',
  commerce: 'shopping, deals, transaction optimization',
  defi: 'position management and liquidity operations',
  data: 'aggregation, curation, licensing',
  infrastructure: 'network, compute, storage services',
  business: 'local and online businesses looking for verified customers through a bounty',
}

/** The unit of feeAmount in each fee model. */
const feeModelMeanings: Record<RegistryFeeModel, { meaning: string; unit?: string }> = {
  free: { meaning: 'no fees' },
  percentage: { meaning: 'share of captured value', unit: 'basis points' },
  flat: { meaning: 'fee per task', unit: 'lamports' },
  subscription: { meaning: 'monthly fee', unit: 'lamports' },
}

const NOTICE =
  'A manifest is operator-declared only and is not proof of runtime enforcement, uptime, tenant isolation, a company gateway or integration, raw-data non-export, compute availability, or subscription execution. Selecting company_hosted_no_raw_export affirms that a company-controlled integration exists and enforces that boundary.'

type Shape = { readonly [part: string]: readonly (string | number)[] | Shape }

const isShape = (part: Shape[string]): part is Shape => !Array.isArray(part)

/** Makes the JSON Schema of an object with all members required and no others allowed. */
const jsonSchemaOf = (shape: Shape): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(shape).map(([part, allowed]) => [
      part,
      isShape(allowed) ? jsonSchemaOf(allowed) : { enum: allowed },
    ]),
  ),
  required: Object.keys(shape),
  additionalProperties: false,
})

/** The allowed values of a registration, as the complete answer of GET /registry/catalog. */
export const catalog: Wire<typeof RegistryCatalog> = {
  contractVersion: '1.0.0',
  agentTypes: registryAgentTypes.map((id) => ({ id, meaning: agentTypeMeanings[id] })),
  feeModels: registryFeeModels.map((id) => ({
    id,
    meaning: feeModelMeanings[id].meaning,
    unit: feeModelMeanings[id].unit,
  })),
  capabilities: capabilities.map((id) => ({ id, layers: capabilityLayers[id] })),
  apiProtocols,
  serviceManifest: {
    version: manifestValues.version[0],
    ...MANIFEST_STATUS,
    notice: NOTICE,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Agent Service Manifest v1',
      ...jsonSchemaOf(manifestValues),
    },
  },
  message: {
    namedTemplate,
    template: messageTemplate,
    manifestTemplate,
    canonicalization: 'RFC 8785',
    signature: 'Ed25519 over the UTF-8 bytes, in Base58',
    timestampToleranceMs: TIMESTAMP_TOLERANCE_MS,
  },
}
