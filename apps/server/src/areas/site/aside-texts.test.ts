import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asideText } from './aside-texts.ts'

const table = readFileSync(new URL('../../../../../docs/wire-protocol.md', import.meta.url), 'utf8')
const reasons = [...table.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) +\|/gm)].flatMap(([, names]) =>
  [...(names ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? ''),
)
// Of a device, told with its name; or of no message by itself.
const withoutText = ['device_birth', 'too_many_devices', 'too_many_lines', 'over_limit', 'gateway_removed']

test('every reason of the protocol says in both languages what is wrong and what to do', () => {
  expect(reasons).toContain('time_unit')
  for (const reason of reasons.filter((each) => !withoutText.includes(each))) {
    const text = asideText(reason)
    expect([reason, text === asideText('bytes of no kind')]).toEqual([reason, false])
    expect(text?.zh).toMatch(/\p{Script=Han}/u)
    expect(text?.en).toMatch(/[a-z]/)
  }
  for (const reason of withoutText.slice(0, 3)) expect(asideText(reason)).toBeNull()
})

test('bytes that cannot be decoded are told too', () => expect(asideText('bad_varint')?.en).toContain('decoded'))
