import type { GenericSchema } from 'valibot'
import type { ErrorCode } from '../../schema/error-codes.ts'

/** The sections of the description. */
export type Tag =
  | 'Service'
  | 'Authentication'
  | 'Marketplace'
  | 'Vault'
  | 'Reputation'
  | 'Registry'
  | 'Pioneers'
  | 'Statistics'
  | 'Events'

/**
 * What the API description says of a route beyond what its code says: words and examples. Path, method,
 * parameters, body, authentication and the errors that follow from those are read from the route itself.
 */
export type OperationDoc = {
  id: string
  tag: Tag
  summary: string
  description: string
  /** An example of the request body. */
  request?: unknown
  parameters?: Record<string, { description: string; example?: unknown }>
  responses: Record<number, SuccessDoc>
  /** The codes of its use case; validation, session, limits and outages are added where they apply. */
  errors: ErrorCode[]
}

export type SuccessDoc = {
  description: string
  /** The name of a component. */
  schema?: string
  example?: unknown
  /** Another media type than application/json. */
  mediaType?: string
  headers?: Record<string, string>
}

/** Documented operations by method and path below the base address: `GET /agents/{id}`. */
export type Operations = Record<string, OperationDoc>

/** The named schemas of the document, with what each field means. */
export type Components = Record<
  string,
  { schema: GenericSchema; description: string; fields: Record<string, string> }
>
