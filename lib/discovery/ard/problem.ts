/** ARD's codes by HTTP status (0.91, appendix B). */
const CODES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  429: 'RATE_LIMIT_EXCEEDED',
}

/** Returns the members that ARD requires in the errors of its paths. */
export function ardProblem({
  path,
  status,
  detail,
}: {
  path: string
  status: number
  detail: string
}): Record<string, string> {
  if (!path.startsWith('/v1/ard')) return {}
  return {
    errorCode: CODES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR'),
    message: detail,
  }
}
