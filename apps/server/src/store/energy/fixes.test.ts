import { hourMs, minuteMs } from '@linewarden/equipment'
import { quarterMs } from '@linewarden/rules/energy'
import { beforeEach, expect, test } from 'vitest'
import type { NewFix } from './fixes.ts'
import { addFix, endFix } from './fixes.ts'
import { energyHouse, main, midnight, project, steady } from './test-energy.ts'

const house = energyHouse()
beforeEach(() => house.client.query('truncate energy_fix, meter_span'))

const [silent, back] = [midnight + hourMs, midnight + 3 * hourMs]
const now = midnight + 4 * hourMs + 5 * minuteMs
const place = { projectId: 1, owner: null, name: 'owner', at: now }
const audit = {
  at: now,
  actor: 'owner',
  address: '',
  outcome: 'done',
  tenant: null,
  subject: { kind: 'line', id: 'C/1', gatewayId: 1 },
} as const

async function enter(more: Partial<NewFix>): Promise<number> {
  const fix: NewFix = {
    ...{
      lineId: main,
      from: silent,
      to: back,
      method: 'kwh',
      startKwh: null,
      endKwh: null,
      wh: 4_000,
      course: null,
      reason: '停电',
      ...more,
    },
  }
  const saved = await addFix(house.database, place, fix, 10, { ...audit, action: 'energyFix.add' })
  if (typeof saved === 'string') throw new Error(saved)
  await house.work(now)
  return saved.fix_id
}
const undo = async (fixId: number) => {
  await endFix(house.database, place, fixId, () => ({ ...audit, action: 'energyFix.undo' }))
  await house.work(now)
}
const around = () => house.whOf(main, silent - quarterMs, back + quarterMs)
const silence = Array.from({ length: 8 }, () => 150)

test('readings that come late never take away what was entered; undone, it is what they say', async () => {
  await house.report(main, [...steady(midnight, silent), ...steady(back, midnight + 4 * hourMs, 101.8)])
  await house.work(now)
  expect(await around()).toEqual([150, ...silence, 150])
  const fixId = await enter({})
  expect(await around()).toEqual([150, ...silence.map(() => 500), 150])
  expect(new Set(await house.howOf(main, silent, back))).toEqual(new Set([3]))
  expect((await house.daysOf(project, 0, 1)).map(({ used, entered }) => [used, entered])).toEqual([[5_200, 4_000]])
  // All of the silence was used in its first hour.
  await house.report(
    main,
    steady(silent + minuteMs, back - minuteMs, 100.61).map(([at]) => [
      at,
      at < silent + hourMs ? 100.6 + ((at - silent) / hourMs) * 1.2 : 101.8,
    ]),
  )
  await house.work(now)
  expect(await around()).toEqual([150, ...silence.map(() => 500), 150])
  await undo(fixId)
  expect(await around()).toEqual([150, 300, 300, 300, 300, 0, 0, 0, 0, 150])
  expect(new Set(await house.howOf(main, silent, back))).toEqual(new Set([0]))
})

test('where the usual course says nothing, what is known stays', async () => {
  await house.report(main, steady(midnight, midnight + 4 * hourMs))
  await house.work(now)
  await enter({ method: 'profile', wh: null, course: [null, 70, null, null, 80, null, null, null] })
  expect(await around()).toEqual([150, 150, 70, 150, 150, 80, 150, 150, 150, 150])
  expect(await house.howOf(main, silent, silent + 2 * quarterMs)).toEqual([0, 2])
})

test('two of one line never overlap', async () => {
  await house.report(main, steady(midnight, midnight + 4 * hourMs))
  await house.work(now)
  await enter({ to: silent + hourMs })
  await expect(enter({ from: silent + hourMs - quarterMs })).rejects.toThrow('overlaps')
  await enter({ from: silent + hourMs })
  expect(await around()).toEqual([150, ...silence.map(() => 1_000), 150])
})
