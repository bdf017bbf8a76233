import { NeonDbError } from '@neondatabase/serverless'
import { describe, expect, it } from 'vitest'
import { answerOf, outageReason, sqlStateOf } from '../../../lib/db/failures.ts'

const SECRET = 'parameter-hunter2'

/** What the driver throws when Postgres refuses a statement. */
const refusedWith = (code: string) => Object.assign(new NeonDbError(`refused ${SECRET}`), { code })

/** What the driver throws when its fetch did. */
const unreached = (source: Error) => {
  const error = new NeonDbError(`Error connecting to database: ${source.message}`)
  error.sourceError = source
  return error
}

/** The driver's error as it is, and as the cause of another. */
const bothWays = (cause: Error) => [cause, new Error(`select ${SECRET}`, { cause })]

describe('the database counts as unavailable', () => {
  it.each([
    ['a network failure', new TypeError('fetch failed')],
    ['a timeout', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ])('after %s', (_what, source) => {
    for (const error of bothWays(unreached(source))) expect(outageReason(error)).toBe('unreachable')
  })

  it('after an answer of Neon that is not an SQL error', () => {
    for (const error of bothWays(new NeonDbError('Server error (HTTP status 503)'))) {
      expect(outageReason(error)).toBe('unreachable')
    }
  })

  it('after an error of the proxy, which has an empty SQLSTATE', () => {
    for (const error of bothWays(refusedWith(''))) expect(outageReason(error)).toBe('unreachable')
  })

  it('after an answer that can not be read', async () => {
    const error = await answerOf(Promise.reject(new SyntaxError('Unexpected token <'))).catch((e) => e)
    for (const each of bothWays(error)) expect(outageReason(each)).toBe('unreadable answer')
  })

  it.each([
    '08006',
    '28P01',
    '3D000',
    '40001',
    '40P01',
    '53300',
    '55P03',
    '57P01',
    '57P03',
    '57014',
    'XX000',
  ])('with SQLSTATE %s', (code) => {
    for (const error of bothWays(refusedWith(code))) expect(outageReason(error)).toBe(`SQLSTATE ${code}`)
  })
})

describe('the database does not count as unavailable', () => {
  it.each(['23505', '23503', '23514', '22P02', '22021', '42601', '42P01', '55000'])(
    'with SQLSTATE %s',
    (code) => {
      for (const error of bothWays(refusedWith(code))) expect(outageReason(error)).toBeUndefined()
    },
  )

  it.each([
    new Error('x'),
    new TypeError('x'),
    new DOMException('x', 'TimeoutError'),
    'text',
    null,
    undefined,
    { name: 'NeonDbError' },
  ])('for %s', (error) => {
    expect(outageReason(error)).toBeUndefined()
  })
})

describe('the SQLSTATE', () => {
  it('is found in wrapped errors', () => {
    for (const error of [
      ...bothWays(refusedWith('23505')),
      new Error('outer', { cause: bothWays(refusedWith('23505'))[1] }),
    ]) {
      expect(sqlStateOf(error)).toBe('23505')
    }
  })

  it('is undefined without an answer of Postgres', () => {
    for (const error of [...bothWays(unreached(new TypeError('fetch failed'))), new Error('x'), undefined]) {
      expect(sqlStateOf(error)).toBeUndefined()
    }
  })

  it("is not another error's code", () => {
    expect(sqlStateOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBeUndefined()
    expect(
      sqlStateOf(unreached(Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' }))),
    ).toBeUndefined()
  })
})

it('logs nothing of the statement', () => {
  const causes = [refusedWith('57P01'), unreached(new TypeError(SECRET)), new SyntaxError(SECRET)]
  for (const error of causes.flatMap(bothWays)) expect(outageReason(error) ?? '').not.toContain(SECRET)
})
