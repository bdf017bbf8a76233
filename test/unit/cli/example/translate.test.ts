import { expect, it } from 'vitest'
import { translate } from '../../../../lib/cli/example/translate.ts'

it.each([
  ['The pump is ready.', 'Die Pumpe ist bereit.'],
  ['Good morning, world!', 'Guten Morgen, Welt!'],
  ['The delivery arrives tomorrow at nine o’clock.', 'Die Lieferung kommt morgen um neun Uhr.'],
  ['The zeppelin is ready:\nhere!', 'Die zeppelin ist bereit:\nhier!'],
  ['constructor', 'constructor'],
  ['', ''],
])('translates %j word by word', (english, german) => {
  expect(translate(english)).toBe(german)
})
