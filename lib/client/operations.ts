import type { Operations } from './generated/types.ts'

/** An operation, by its method and path in the API's description: `GET /agents`. */
export type OperationName = keyof Operations

/** The options of a call, in addition to the operation's parameters. */
export type CallOptions = { signal?: AbortSignal | undefined }

/** An operation's path parameters, query and body; optional fields may be undefined. */
export type RequestOf<Name extends OperationName> = Parts<Operations[Name]['request']>

type Parts<Request> = { [Part in keyof Request as Exclude<Part, 'url'>]: Loose<Request[Part]> }

type Loose<Part> = Part extends object
  ? { [Field in keyof Part]: undefined extends Part[Field] ? Part[Field] | undefined : Part[Field] }
  : Part

/** The body of an operation's successful answer. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer']

/** Calls an operation. The request is optional if nothing in it is required. */
export type Call = <Name extends OperationName>(
  name: Name,
  ...request: Record<never, never> extends RequestOf<Name>
    ? [request?: RequestOf<Name> & CallOptions]
    : [request: RequestOf<Name> & CallOptions]
) => Promise<AnswerOf<Name>>

/** A request, with the parts that any operation may have. */
export type AnyRequest = {
  path?: Readonly<Record<string, unknown>> | undefined
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  signal?: AbortSignal | undefined
}
