import { sql } from 'drizzle-orm'
import { bigint, check, integer, jsonb, numeric, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import type { InferOutput } from 'valibot'
import { type Capability, entryStatuses, registryAgentTypes, registryFeeModels } from '../registry.ts'
import { apiProtocols } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import type { ServiceManifest } from '../wire/registry.ts'
import { instant } from './columns.ts'

/**
 * Agents of the signed registry: one row for each key, with its latest signed registration. Lists read
 * registry_listings.
 */
export const registryAgents = pgTable(
  'registry_agents',
  {
    pubkey: text().$type<Wallet>().primaryKey(),
    name: text().notNull(),
    agentType: text('agent_type', { enum: registryAgentTypes }).notNull(),
    capabilities: text().array().$type<Capability[]>().notNull(),
    /** The layers of all capabilities, ascending. */
    layers: smallint().array().notNull(),
    feeModel: text('fee_model', { enum: registryFeeModels }).notNull(),
    /** As declared, including fractions: numeric stores every JSON number exactly. */
    feeAmount: numeric('fee_amount', { mode: 'number' }),
    description: text(),
    website: text(),
    logoUrl: text('logo_url'),
    apiEndpoint: text('api_endpoint'),
    /** The declared protocol of apiEndpoint. An endpoint without it is not probed. */
    apiProtocol: text('api_protocol', { enum: apiProtocols }),
    developerPubkey: text('developer_pubkey').$type<Wallet>(),
    /** Never shown. */
    contactEmail: text('contact_email'),
    /** Declared by its operator, and not verified. */
    serviceManifest: jsonb('service_manifest').$type<InferOutput<typeof ServiceManifest>>(),
    /** The Unix milliseconds of the signed message. Only a later message replaces the row. */
    timestamp: bigint({ mode: 'number' }).notNull(),
    /** The signature of the row's registration, and the SHA-256 of its whole body. */
    signature: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    /** 1 for the key's first registration, plus one for each later one. */
    revision: integer().notNull(),
    registeredAt: instant('registered_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** `removed`: only its key remains, which can never register again. */
    status: text({ enum: entryStatuses }).notNull().default('active'),
    /** Why an operator suspended it. */
    statusReason: text('status_reason'),
  },
  (t) => [
    check('registry_agents_fee_amount', sql`${t.feeAmount} >= 0`),
    check('registry_agents_capabilities', sql`cardinality(${t.capabilities}) > 0`),
    check('registry_agents_layers', sql`cardinality(${t.layers}) > 0`),
  ],
)
