/**
 * The closed sets of values of the signed registration, version 1.0.0 of its contract. GET /registry/catalog
 * shows them.
 */
export const registryAgentTypes = [
  'personal',
  'commerce',
  'defi',
  'data',
  'infrastructure',
  'business',
] as const
export const registryFeeModels = ['free', 'percentage', 'flat', 'subscription'] as const

/** The capture layers of each capability. */
export const capabilityLayers = {
  shopping: [1],
  referral: [2],
  attention: [3],
  data_licensing: [4],
  insurance: [5],
  compute: [6],
  network: [7],
  energy: [8],
  depin: [9],
  inference: [10],
  storage: [11],
  skill_verification: [12],
  curation: [13],
  social: [14],
  knowledge_api: [15],
  model_licensing: [16],
  liquidity: [17],
  governance: [18],
  inventory: [19],
  sub_agent: [20],
  collateral: [21],
  swarm: [22],
  gaming: [23],
  tax_optimization: [1, 4],
  portfolio: [17, 19],
  mcp_gateway: [10, 15],
} as const satisfies Record<string, readonly number[]>

/** `suspended`: an operator hides it from the lists. `removed`: deleted; its key can't register again. */
export const entryStatuses = ['active', 'suspended', 'removed'] as const

export type RegistryAgentType = (typeof registryAgentTypes)[number]
export type RegistryFeeModel = (typeof registryFeeModels)[number]
export type Capability = keyof typeof capabilityLayers

export const capabilities = Object.keys(capabilityLayers) as Capability[]

/** The name of each layer: the capability of this layer alone. The SQL function layer_names has the same. */
export const layerNames: Readonly<Record<number, Capability>> = Object.fromEntries(
  capabilities.flatMap((id) => (capabilityLayers[id].length === 1 ? [[capabilityLayers[id][0], id]] : [])),
)

/** The highest capture layer of the catalog; the marketplace's end at 22. */
export const LAST_REGISTRY_LAYER = 23

/** The values of each part of an Agent Service Manifest v1. Every part is required. */
export const manifestValues = {
  version: [1],
  operationMode: ['on_demand', 'continuous', 'hybrid'],
  tenancy: ['single_principal', 'multi_principal_isolated'],
  authority: {
    credentials: ['per_principal'],
    state: ['per_principal'],
    approvals: ['per_principal_transaction_bound'],
    audit: ['per_principal'],
    sensitiveActions: ['transaction_specific_review'],
  },
  enterpriseDataBoundary: ['not_applicable', 'minimum_necessary_api', 'company_hosted_no_raw_export'],
  computePolicy: ['disabled', 'non_sensitive_only', 'enterprise_approved_workloads'],
} as const
