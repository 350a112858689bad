import type { LineSettings, TargetResult } from '@linewarden/contract'
import { analyseStatus, lineCommands, operateLine, settingHistory, updateLines } from '@linewarden/contract'
import type { ActionKey, Family, Setting } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import { deadlineFor, isUnderWay, verifyGraceMs } from '@linewarden/rules/control'
import { sameSetting, settingRange } from '@linewarden/rules/settings'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { everyModelPlan, modelId } from '../../kit/every-family-plan.ts'
import { offenders } from '../../kit/offenders.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// Every model of every family through server, broker and equipment: what it can do first, while it protects by the values it is made with, then
// what can be set on it. Everything of one kind is ordered at once; the facts are then looked at one by one.
let stack: Stack
let ahead = 0
const ratedA = 63

beforeAll(async () => {
  stack = await startStack({ plan: everyModelPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  gateway().behaviour.mechanismMs = 5
  await settle()
})
afterAll(() => stack?.close())

interface Model {
  readonly id: string
  readonly family: Family
  readonly model: string
  readonly lineNo: number
}
const models: readonly Model[] = families.flatMap((family) =>
  family.models.map((model) => ({ id: modelId(family, model), family, model, lineNo: family.level === 'line' ? 1 : 0 })),
)
const target = ({ id, lineNo }: Model) => ({ ControllerID: id, LineNo: lineNo })
const nameOf = ({ family, model }: Model) => `${family.key} ${model}`
const gateway = () => stack.fleet.gatewayOf(models[0]?.id ?? '')
const equipment = ({ id, lineNo }: Model) => (lineNo === 0 ? gateway().detector(id) : gateway().line(id, lineNo))
const stateIn = ({ id, lineNo }: Model, state: string) => stack.server.plant.lineAt(id, lineNo)?.states.get(state)

/** Fresh values are in, and a gateway that seemed silent because time was moved on counts as online again. */
async function settle(): Promise<void> {
  await gateway().report()
  await stack.server.ingest.drained()
  await vi.waitFor(
    () => expect(stack.server.plant.lineAt(models[0]?.id ?? '', models[0]?.lineNo ?? 0)?.device.gateway.link).toBe('online'),
    { interval: 20 },
  )
}
async function later(ms: number): Promise<void> {
  ahead += ms
  await settle()
}
/** Once it was decided whether an order of this kind was obeyed; longer than the gap between two operations, too. */
const decidedMs = (action: ActionKey | 'set') => Math.max(deadlineFor(action) + verifyGraceMs, 10_000) + 1_000

describe('an action', () => {
  type How = 'reports' | 'neverReports'
  const table = models.flatMap((each) => each.family.actions.map(({ key }) => [nameOf(each), key, each] as const))
  const ended = new Map<string, string>()
  const place = (each: Model, action: ActionKey, how: How) => `${each.id} ${action} ${how}`

  /** Orders one action of every model that has it, and keeps how each ended. */
  async function all(action: ActionKey, how: How): Promise<void> {
    const able = models.filter(({ family }) => family.actions.some(({ key }) => key === action))
    if (action === 'silence') {
      for (const { id } of able) gateway().detector(id).states.set('sounder', 'sounding')
      await settle()
      await vi.waitFor(() => expect(able.map((each) => stateIn(each, 'sounder'))).toEqual(able.map(() => 'sounding')))
    }
    // It takes the order and says so, and nothing more is heard of it.
    gateway().behaviour.move = how === 'reports'
    const orders = await Promise.all(
      able.map(async (each) => {
        const params = { ...target(each), attr: action }
        const body = { CommandID: crypto.randomUUID(), Reason: 'test' }
        return { each, id: (await stack.client.call(operateLine, { params, body })).CommandID }
      }),
    )
    const stateOf = async ({ each, id }: (typeof orders)[number]) => {
      const { items } = await stack.client.call(lineCommands, { params: target(each), query: { Size: 3 } })
      return items.find(({ CommandID }) => CommandID === id)?.State ?? 'failed'
    }
    const until = (good: (state: Awaited<ReturnType<typeof stateOf>>) => boolean) =>
      Promise.all(
        orders.map((order) =>
          vi.waitFor(
            async () => {
              const state = await stateOf(order)
              expect(good(state), `${order.each.id} ${action}: ${state}`).toBe(true)
              ended.set(place(order.each, action, how), state)
            },
            { interval: 50 },
          ),
        ),
      )
    if (how === 'neverReports') await until((state) => state === 'acknowledged')
    else await until((state) => !isUnderWay(state))
    await later(decidedMs(action))
    await until((state) => !isUnderWay(state))
    gateway().behaviour.move = true
  }

  beforeAll(async () => {
    for (const [action, how] of [
      ['trip', 'neverReports'],
      ['selfTest', 'neverReports'],
      ['trip', 'reports'],
      ['close', 'neverReports'],
      ['close', 'reports'],
      ['selfTest', 'reports'],
      ['silence', 'neverReports'],
      ['silence', 'reports'],
    ] as const)
      await all(action, how)
  })

  test('of every model is done once the equipment reports it', async () => {
    const wrong = await offenders(table, (_, action, each) => {
      expect(ended.get(place(each, action, 'reports'))).toBe('verified')
    })
    expect(wrong).toEqual([])
  })

  test('of equipment that never reports is unknown, never done', async () => {
    const wrong = await offenders(table, (_, action, each) => {
      expect(ended.get(place(each, action, 'neverReports'))).toBe('unknown')
    })
    expect(wrong).toEqual([])
  })

  test('nothing was done that was not ordered, or twice', () => {
    const done = stack.fleet.executed.filter(({ outcome }) => outcome === 'executed')
    expect(done.map(({ controllerId, action }) => `${controllerId} ${action}`).sort()).toEqual(
      table.map(([, action, { id }]) => `${id} ${action}`).sort(),
    )
  })
})

describe('a setting', () => {
  type Row = readonly [string, string, Model, Setting]
  const table: readonly Row[] = models.flatMap((each) =>
    each.family.settings.map((setting) => [nameOf(each), setting.key, each, setting] as const),
  )
  const settable = models.filter(({ family }) => family.settings.length > 0)
  const rangeOf = ({ model }: Model, setting: Setting) => {
    const { min, max } = settingRange(setting, model, ratedA)
    if (min === null || max === null) throw new Error('the range must be known')
    return { min, max }
  }
  const wantedAt = (each: Model, end: 'min' | 'max') =>
    Object.fromEntries(each.family.settings.map((setting) => [setting.key, rangeOf(each, setting)[end]]))

  /** One call for all lines that get the same values. */
  async function setAll(orders: readonly (readonly [Model, Record<string, number>])[]): Promise<Map<Model, TargetResult>> {
    const results = new Map<Model, TargetResult>()
    for (const [values, group] of Map.groupBy(orders, ([, wanted]) => JSON.stringify(wanted))) {
      const Settings = Object.entries<number>(JSON.parse(values)).map(([Key, Value]) => ({ Key, Value }))
      // An end of a range may be where a protection hardly protects.
      const why = { Reason: 'test', OffUntil: Date.now() + ahead + 3_600_000, BatchID: crypto.randomUUID() }
      const body = { Targets: group.map(([each]) => target(each)), Settings, ...why }
      const { items } = await stack.client.call(updateLines, { body })
      for (const [index, [each]] of group.entries()) {
        const item = items[index]
        if (item) results.set(each, item)
      }
    }
    return results
  }
  const settingsNow = async (): Promise<ReadonlyMap<string, LineSettings>> => {
    const { items } = await stack.client.call(analyseStatus, { body: { Targets: settable.map(target) } })
    return new Map(items.map((each) => [each.ControllerID, each]))
  }
  const stateOf = async (each: Model) => {
    const { items } = await stack.client.call(settingHistory, { body: { Target: target(each), Size: 1 } })
    return items[0]?.State
  }

  describe.each(['min', 'max'] as const)('at its %s', (end) => {
    let after: ReadonlyMap<string, LineSettings>

    beforeAll(async () => {
      const results = await setAll(settable.map((each) => [each, wantedAt(each, end)]))
      expect([...results.values()].flatMap(({ Refused }) => Refused ?? [])).toEqual([])
      await vi.waitFor(
        async () => {
          after = await settingsNow()
          expect([...after.values()].flatMap(({ ControllerID, UnderWay }) => (UnderWay ? [ControllerID] : []))).toEqual([])
        },
        { interval: 100 },
      )
    })

    test('every one is taken, and proven by what the equipment reports', async () => {
      const wrong = await offenders(table, async (_name, key, each, setting) => {
        const bound = rangeOf(each, setting)[end]
        const present = equipment(each).settings.get(key)
        expect(present !== undefined && sameSetting(present, bound), `${present} in the equipment, not ${bound}`).toBe(true)
        const settled = after.get(each.id)?.Settings.find(({ Key }) => Key === key)
        expect(settled).toMatchObject({ Standing: 'same', ...rangeNow(each, setting) })
        expect(sameSetting(settled?.Reported ?? Number.NaN, bound)).toBe(true)
      })
      expect(wrong).toEqual([])
    })

    test('every change is verified', async () => {
      const wrong = await offenders(
        settable.map((each) => [nameOf(each), each] as const),
        async (_, each) => {
          expect(await stateOf(each)).toBe('verified')
        },
      )
      expect(wrong).toEqual([])
    })

    const rangeNow = (each: Model, setting: Setting) => {
      const { min, max } = rangeOf(each, setting)
      return { Min: min, Max: max }
    }
  })

  describe.each(['below', 'above', 'between'] as const)('%s what it may be', (where) => {
    const refused = new Map<string, TargetResult>()
    let sent: readonly number[]
    const outside = (each: Model, setting: Setting): number => {
      const { min, max } = rangeOf(each, setting)
      return where === 'below' ? min - setting.step : where === 'above' ? max + setting.step : min + setting.step / 2
    }
    const counts = async () => {
      const { total } = await stack.client.call(settingHistory, { body: { Size: 1 } })
      return [stack.fleet.executed.length, total]
    }

    beforeAll(async () => {
      const before = await counts()
      for (const [key, rows] of Map.groupBy(table, ([, setting]) => setting))
        for (const [each, result] of await setAll(
          rows.map(([, , model, setting]) => [model, { [key]: outside(model, setting) }]),
        ))
          refused.set(`${each.id} ${key}`, result)
      const now = await counts()
      sent = now.map((count, index) => count - (before[index] ?? 0))
    })

    test('every one is refused, with the range in words', async () => {
      const wrong = await offenders(table, (_name, key, each, setting) => {
        const { Change, Refused } = refused.get(`${each.id} ${key}`) ?? {}
        expect([Change, Refused?.Message]).toEqual([null, 'setting out of range'])
        const unit = setting.unit === '' ? '' : ` ${setting.unit}`
        const { min, max } = rangeOf(each, setting)
        const ofIn = typeof setting.max === 'number' ? '' : `（${setting.max.timesIn}In）`
        const range = `应为 ${Number(min.toFixed(3))}–${Number(max.toFixed(3))}${unit}${ofIn}`
        expect(Refused?.Problems).toMatchObject([
          {
            Path: `Settings.${key}`,
            Text: { zh: `${setting.label.zh}${where === 'between' ? `应按 ${setting.step}${unit} 递进` : range}` },
          },
        ])
      })
      expect(wrong).toEqual([])
    })

    test('and nothing of it was sent or kept', () => expect(sent).toEqual([0, 0]))
  })

  describe('of equipment that never reports', () => {
    beforeAll(async () => {
      Object.assign(gateway().behaviour, { move: false, report: false })
      await setAll(settable.map((each) => [each, wantedAt(each, 'min')]))
      await Promise.all(
        settable.map((each) => vi.waitFor(async () => expect(await stateOf(each)).toBe('acknowledged'), { interval: 100 })),
      )
      await later(decidedMs('set'))
    })

    test('every one is unknown, never in force', async () => {
      const wrong = await offenders(
        settable.map((each) => [nameOf(each), each] as const),
        async (_, each) => {
          await vi.waitFor(async () => expect(await stateOf(each)).toBe('unknown'), { interval: 50 })
        },
      )
      expect(wrong).toEqual([])
    })
  })
})
