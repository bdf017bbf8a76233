import type { GenericSchema, InferInput } from 'valibot'
import type { ErrorCode } from '../../schema/errors.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { JsonResponse } from './json.ts'

/** The schemas of an operation's answers, by status. */
export type AnswerSchemas = Record<number, GenericSchema>

/**
 * The operations that can follow an answer, by operation id. Each has its parameters and body members, as
 * pointers into the answer.
 */
export type LinkDocs = Record<string, Record<string, `#/${string}`>>

/** The docs of one answer in the API description. */
type AnswerDocs<Schema> = {
  description: string
  /** Undefined for a file and for an answer without a body. */
  schema?: Schema
  mediaType?: string
  /** Overrides the schema's example: as on the wire, as a view returns it, or the content of a file. */
  example?: Schema extends GenericSchema ? InferInput<Schema> | Wire<Schema> : object
  /** Headers other than X-Request-Id. */
  headers?: Record<string, string>
  links?: LinkDocs
}

/**
 * The docs of an operation in the API description. The description itself adds the text and the errors that
 * follow from a permission or a body.
 */
export type OperationDocs<Answers extends AnswerSchemas> = {
  id: string
  summary: string
  description: string
  answers: { [Status in keyof Answers]: AnswerDocs<Answers[Status]> }
  /** The use case checks a token itself: the operation has no session. */
  needsToken?: true
  /** The error codes of the use case. The description adds the codes of validation, session and limits. */
  errors: ErrorCode[]
}

/** A response with one of the statuses and the type of its schema. */
export type AnswerTo<Answers extends AnswerSchemas> = {
  [Status in keyof Answers]: JsonResponse<StatusOf<Status>, Wire<Extract<Answers[Status], GenericSchema>>>
}[keyof Answers]

/** Parses a status from an object key, which the compiler knows as text. */
type StatusOf<Key> = Key extends `${infer Status extends number}` ? Status : Key
