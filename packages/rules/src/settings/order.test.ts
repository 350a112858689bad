import { familyOf } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { minOffMs } from './bypass-kind.ts'
import type { LineSettings, SettingsKnown } from './order.ts'
import { bypassesByNow, isUnreachable, validateOrder } from './order.ts'

const now = 1_800_000_000_000
const family = familyOf('breaker1p')
if (!family) throw new Error('the family is there')

/** A breaker of 63 A that reports a leakage protection of 30 mA. */
const line: LineSettings = { family, model: '', ratedCurrentA: 63, reported: new Map([['leakage.trip', 30]]) }
const nothing: SettingsKnown = { toRestore: new Map(), unconfirmed: new Set() }
const reporting = (value: number | null): LineSettings => ({
  ...line,
  reported: new Map(value === null ? [] : [['leakage.trip', value]]),
})

const setting = family.settings.find(({ key }) => key === 'leakage.trip')
if (!setting || typeof setting.max !== 'number' || typeof setting.default !== 'number') throw new Error('it has a leakage level')
/** The insensitive end of the range. */
const weak = setting.max
const usual = setting.default
const good = now + minOffMs
const ordered = (value: number, offUntil: number | null = null) => ({ wanted: { 'leakage.trip': value }, offUntil })

describe('an order', () => {
  const kindOf = (order: ReturnType<typeof ordered>, of = line, known = nothing) => validateOrder(of, order, known, now)

  test('of a value that protects is valid and bypasses nothing', () => {
    expect(kindOf(ordered(50))).toEqual({ kind: 'valid', bypasses: [] })
  })
  test('tells everything that is wrong with it at once', () => {
    const wanted = { 'leakage.trip': -1, nonsense: 3 }
    const verdict = validateOrder(line, { wanted, offUntil: null }, nothing, now)
    expect(verdict.kind === 'invalid' && verdict.problems.map(({ key, fault }) => [key, fault])).toEqual([
      ['leakage.trip', 'too_low'],
      ['nonsense', 'unknown'],
    ])
  })
  test.each([
    ['no expiry', null],
    ['one that is too near', good - 1],
  ])('that bypasses a protection with %s names the protection', (_, offUntil) => {
    const verdict = kindOf(ordered(weak, offUntil))
    expect(verdict.kind === 'expiryMissing' && verdict.bypasses.map(({ key }) => key)).toEqual(['leakage.trip'])
  })
  test.each<[string, LineSettings, Partial<SettingsKnown>, object]>([
    ['what the line reports', line, {}, { kind: 'valid', bypasses: [{ key: 'leakage.trip', former: 30 }] }],
    [
      'what it is made with, unless it reports',
      reporting(null),
      {},
      { kind: 'valid', bypasses: [{ key: 'leakage.trip', former: usual }] },
    ],
    [
      'what is to be restored already',
      reporting(weak),
      { toRestore: new Map([['leakage.trip', 100]]) },
      { kind: 'valid', bypasses: [{ key: 'leakage.trip', former: 100 }] },
    ],
    [
      'what it is made with, where it may stand at the weak end by now',
      reporting(weak),
      { unconfirmed: new Set(['leakage.trip']) },
      { kind: 'valid', bypasses: [{ key: 'leakage.trip', former: usual }] },
    ],
    ['nothing, where it stands there already', reporting(weak), {}, { kind: 'valid', bypasses: [] }],
  ])('that bypasses a protection restores %s', (_, of, known, verdict) => {
    expect(kindOf(ordered(weak, good), of, { ...nothing, ...known })).toEqual(verdict)
  })
  test('bypasses nothing of which no value is known that protects', () => {
    const made = { ...family, settings: [{ ...setting, default: weak }] }
    expect(kindOf(ordered(weak, good), { ...reporting(null), family: made })).toEqual({ kind: 'nothingToRestore' })
  })
})

describe('an order would bypass a protection by now', () => {
  const change = (more: object) => ({
    wanted: { 'leakage.trip': weak },
    former: { 'leakage.trip': weak },
    offUntil: null,
    ...more,
  })

  test.each<[string, LineSettings, object, boolean]>([
    ['a protection that somebody has set since', line, {}, true],
    ['nothing where it is still weak', reporting(weak), {}, false],
    ['a protection whose value is not known any more', reporting(null), {}, true],
    ['nothing that is restored at its expiry', line, { former: { 'leakage.trip': 30 }, offUntil: good }, false],
    ['one that would be restored to a weak value', line, { offUntil: good }, true],
    ['nothing that was never reported and has an expiry', line, { former: {}, offUntil: good }, false],
    ['nothing by a value that protects', line, { wanted: { 'leakage.trip': 100 } }, false],
    ['nothing of another setting', line, { wanted: {} }, false],
  ])('%s', (_, of, more, bypassesNow) => expect(bypassesByNow(of, change(more))).toBe(bypassesNow))
})

test.each([
  ['it is online', { link: 'online', disabled: false }, 'yes', false],
  ['it is disabled', { link: 'online', disabled: true }, 'yes', true],
  ['it is silent', { link: 'stale', disabled: false }, 'yes', true],
  ['it is away', { link: 'offline', disabled: false }, 'not_connected', true],
  ['a platform pushes for it', { link: 'offline', disabled: false }, 'push_only', false],
  ['a platform pushes for it, and it is disabled', { link: 'online', disabled: true }, 'push_only', true],
] as const)('whether a gateway hears an order when %s', (_, gateway, reach, nobody) => {
  expect(isUnreachable(gateway, reach)).toBe(nobody)
})
