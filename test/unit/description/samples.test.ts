import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlOf } from '../../../lib/tools/description/reference/curl.ts'
import { pythonOf } from '../../../lib/tools/description/reference/python.ts'
import { FORM } from '../../../lib/tools/description/reference/requests.ts'
import { callable, requestsOf, variables } from '../../support/samples.ts'

/** Collects what `call` is given, in the place of the function of the guide. */
const PYTHON = `import json, os
API = os.environ["API"]
ORIGIN = API.removesuffix("/v1")
made = []
def call(method, path, body=None, base=API, headers={}):
    made.append({"method": method, "url": base + path, "headers": headers, "body": body})
`

it('makes the same requests in Python as with curl when both are run', () => {
  const script = `${PYTHON}${callable.map(pythonOf).join('\n')}\nprint(json.dumps(made))`
  const python = JSON.parse(execFileSync('python3', ['-c', script], { env: variables, encoding: 'utf8' }))
  const curl = requestsOf(callable.map(curlOf), variables).map(({ data, headers, ...request }) => {
    const { authorization: _, 'content-type': type, ...others } = headers
    if (type === FORM) return { ...request, headers: { 'content-type': type, ...others }, body: data }
    return { ...request, headers: others, body: data === undefined ? null : JSON.parse(data) }
  })
  expect(curl).toHaveLength(callable.length)
  expect(python).toEqual(curl)
})
