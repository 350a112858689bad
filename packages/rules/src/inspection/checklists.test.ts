import { families } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { checklistKeys, checklistOf, itemsAsked } from './checklists.ts'
import { yesNo } from './item-makers.ts'

test('every family has a checklist, and so have gateways and places', () => {
  expect([...checklistKeys].sort()).toEqual([...families.map(({ key }) => key), 'gateway', 'place'].sort())
  for (const list of checklistKeys) expect([list, checklistOf(list).length]).toEqual([list, expect.any(Number)])
  expect(checklistKeys.filter((list) => checklistOf(list).length < 3)).toEqual([])
})

describe.each(checklistKeys)('%s', (list) => {
  const items = checklistOf(list)

  test('names each item once, in both languages, with its source', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    for (const { id, text, source } of items) {
      expect([id, text.zh.trim(), text.en.trim(), source.zh.trim(), source.en.trim()]).not.toContain('')
      expect(id).toMatch(/^[a-z][A-Za-z0-9.]{2,40}$/)
      expect(text.zh).toMatch(/[一-鿿]/)
      expect(text.en).not.toMatch(/[一-鿿]/)
    }
  })

  test('asks for what can be answered', () => {
    for (const { id, kind, min, max, unit, choices } of items) {
      if (kind === 'number') expect([id, unit === '', (min ?? -1e9) < (max ?? 1e9)]).toEqual([id, false, true])
      else expect([id, min, max]).toEqual([id, null, null])
      if (kind === 'choice') expect([id, choices.length >= 2, choices.some(({ ok }) => ok)]).toEqual([id, true, true])
      else expect([id, choices]).toEqual([id, []])
    }
  })
})

test('the test button of residual-current devices is pressed monthly, switchgear is looked at by heat once a year', () => {
  const of = (list: string, id: string) => checklistOf(list).find((item) => item.id === id)
  for (const list of ['breaker1p', 'breaker3p']) {
    expect(of(list, 'rcd.testButton')).toMatchObject({
      kind: 'yesNo',
      everyDays: 30,
      source: { zh: expect.stringContaining('GB/T 13955') },
    })
    expect(of(list, 'thermo.load')).toMatchObject({
      min: 40,
      unit: '%',
      everyDays: 365,
      source: { en: expect.stringContaining('NFPA 70B') },
    })
  }
  expect(of('airSwitch1p', 'rcd.testButton')).toBeUndefined()
})

test('a plan leaves items out and adds its own, each to its list', () => {
  const own = { ...yesNo('own.lock', '挂锁完好', 'Padlock whole'), list: 'gateway' }
  const asked = itemsAsked('gateway', new Set(['gateway.door']), [own]).map(({ id }) => id)
  expect(asked).toContain('own.lock')
  expect(asked).not.toContain('gateway.door')
  expect(itemsAsked('place', new Set(), [own]).map(({ id }) => id)).not.toContain('own.lock')
})
