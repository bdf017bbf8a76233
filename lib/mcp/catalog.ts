import type { Permission } from '../../schema/values.ts'
import generated from './tools.json' with { type: 'json' }

type Schema = Record<string, unknown>

/** A tool as `tools/list` shows it. */
export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: Schema & { type: 'object'; properties: Record<string, Schema> }
  annotations: Record<string, boolean>
  /** The fields of its answers that strangers write. */
  _meta?: Record<typeof UNTRUSTED, string[]>
}

/** The content of tools.json, generated from the API description: `npm run generate -- mcp`. */
export type Catalog = {
  server: { name: string; title: string; version: string }
  /** The fields that are amounts: decimal text here, in the API integers that may be above 2^53. */
  amounts: string[]
  /** The tools that need a session, each with the permissions of which it needs one; none: any session. */
  permissions: Record<string, Permission[]>
  tools: ToolDefinition[]
}

/** The key of `_meta` under which a tool and a result name the fields that strangers write. */
export const UNTRUSTED = 'agentcred/untrusted'

export const catalog = generated as unknown as Catalog

const definitions = new Map<unknown, ToolDefinition>(catalog.tools.map((tool) => [tool.name, tool]))
const amounts = new Set(catalog.amounts)

export const definitionOf = (name: unknown): ToolDefinition | undefined => definitions.get(name)
export const isAmount = (field: string): boolean => amounts.has(field)
