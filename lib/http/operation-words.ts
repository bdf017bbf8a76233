import type { GenericSchema, InferInput } from 'valibot'
import type { ErrorCode } from '../../schema/errors.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { JsonResponse } from './json.ts'

/** The schemas of an operation's answers by status. */
export type AnswerSchemas = Record<number, GenericSchema>

/**
 * Where a client goes from an answer: by operation id, what each parameter or member of the body is in the
 * answer.
 */
export type LinkWords = Record<string, Record<string, `#/${string}`>>

/** What the API description says of one answer. */
type AnswerWords<Schema> = {
  description: string
  /** None of a built file, which is as its media type says, and of an answer without a body. */
  schema?: Schema
  mediaType?: string
  /** Where it is not the schema's own: as on the wire, or as a view gives it; of a file, its content. */
  example?: Schema extends GenericSchema ? InferInput<Schema> | Wire<Schema> : object
  /** Headers besides X-Request-Id. */
  headers?: Record<string, string>
  links?: LinkWords
}

/**
 * What the API description says of an operation beyond what its declaration says: where it needs a permission
 * or takes a body, the document adds the text and the errors that follow.
 */
export type OperationWords<Answers extends AnswerSchemas> = {
  id: string
  summary: string
  description: string
  answers: { [Status in keyof Answers]: AnswerWords<Answers[Status]> }
  /** The codes of its use case; validation, session and limits are added where they apply. */
  errors: ErrorCode[]
}

/** A response with one of the statuses and the wire type of their schemas. */
export type AnswerTo<Answers extends AnswerSchemas> = {
  [Status in keyof Answers]: JsonResponse<StatusOf<Status>, Wire<Extract<Answers[Status], GenericSchema>>>
}[keyof Answers]

/** The compiler knows the keys of an inferred object as texts. */
type StatusOf<Key> = Key extends `${infer Status extends number}` ? Status : Key
