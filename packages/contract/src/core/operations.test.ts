import { expect, test } from 'vitest'
import { aboutOperation, operationIn } from '../areas/audit/operation.ts'
import type { SettingIntent } from './operations.ts'
import {
  groupOperation,
  linkageOperation,
  linkageRunOperation,
  reclosureOperation,
  sceneOperation,
  sceneRunOperation,
  settingOperation,
  timerActOperation,
  timerActs,
  timerOperation,
} from './operations.ts'

const at = (ControllerID: string, LineNo: number) => ({ ControllerID, LineNo })

test('a grant for a group names its action, its id and each of its lines, in whatever order', () => {
  const operation = groupOperation('close', 'r1', [at('B', 1), at('A', 2)])
  expect(operation).toBe('close:run/r1/98a6ddcc8bc88d4e55e4b58016b43e2369c2579732a5d0ff33edf4c4b040ed34')
  expect(groupOperation('close', 'r1', [at('A', 2), at('B', 1), at('B', 1)])).toBe(operation)
  const others = [
    groupOperation('trip', 'r1', [at('A', 2), at('B', 1)]),
    groupOperation('close', 'r2', [at('A', 2), at('B', 1)]),
    groupOperation('close', 'r1', [at('A', 2)]),
    groupOperation('close', 'r1', [at('A', 2), at('B', 2)]),
  ]
  expect(new Set([operation, ...others]).size).toBe(5)
})

test('a grant for settings names its targets, its values and how long they stay', () => {
  const settings = { 'leakage.trip': 90, 'load.limit': 12.5 }
  const intents: SettingIntent[] = [
    { lines: [at('A', 1)], settings },
    { lines: [at('A', 1), at('A', 2)], settings },
    { lines: [at('A', 1)], settings: { ...settings, 'leakage.trip': 91 } },
    { lines: [at('A', 1)], settings: { 'leakage.trip': 90 } },
    { lines: [at('A', 1)], settings, OffUntil: 1_700_000_000_000 },
    { device: 'A', settings },
    { gateway: 1, settings },
    { undoes: 'c1' },
    { undoes: 'c2' },
  ]
  expect(new Set(intents.map((intent) => settingOperation('s1', intent))).size).toBe(intents.length)
  const [first] = intents
  if (first) expect(settingOperation('s1', first)).toBe('set:s1/86533c45045747595122daa3a615a24f4415507f76b7bd77c2911b25e68f8aca')
  const turned = { 'load.limit': 12.5, 'leakage.trip': 90 }
  expect(settingOperation('s1', { lines: [at('A', 1)], settings: turned })).toBe(
    settingOperation('s1', { lines: [at('A', 1)], settings }),
  )
})

test('a grant for re-closing holds for the line and the intervals, in their order, that it was given for', () => {
  const operations = [
    reclosureOperation(at('A', 1), [10, 60]),
    reclosureOperation(at('A', 1), [60, 10]),
    reclosureOperation(at('A', 1), [10]),
    reclosureOperation(at('A', 2), [10, 60]),
  ]
  expect(new Set(operations).size).toBe(operations.length)
  expect(operations[0]).toMatch(/^reclosure:A\/1\/[0-9a-f]{64}$/)
})

test('a grant for a scene names each line, what becomes of it and when; of one that only trips no lock holds it up', () => {
  const scene = { SceneID: 7, Name: '换型', IfRefused: 'goOn', Items: [{ ...at('A', 1), Action: 'close' as const, Order: 1 }] }
  const others = [
    { ...scene, SceneID: 8 },
    { ...scene, SceneID: null },
    { ...scene, Name: '换' },
    { ...scene, IfRefused: 'stopCloses' },
    { ...scene, Items: [{ ...at('A', 1), Action: 'trip' as const, Order: 1 }] },
    { ...scene, Items: [{ ...at('A', 1), Action: 'close' as const, Order: 2 }] },
    { ...scene, Items: [{ ...at('A', 2), Action: 'close' as const, Order: 1 }] },
  ]
  expect(new Set([scene, ...others].map(sceneOperation)).size).toBe(8)
  const read = { SceneID: 7, Version: 3 }
  expect(sceneRunOperation('r1', read, [{ Action: 'trip' }])).toBe('trip:scene/r1/7/3')
  expect(sceneRunOperation('r1', read, [{ Action: 'trip' }, { Action: 'close' }])).toBe('close:scene/r1/7/3')
  const asked = (operation: string) => operationIn(aboutOperation(operation).id)
  expect(asked(sceneRunOperation('r1', read, scene.Items))).toEqual({ action: 'scene.run', on: { kind: 'scene', id: '7' } })
  expect(asked(sceneOperation(scene))).toEqual({ action: 'scene.edit', on: { kind: 'scene', id: '7' } })
  expect(asked(sceneOperation({ ...scene, SceneID: null }))?.action).toBe('scene.add')
  for (const kind of ['timer', 'scene', 'linkage'] as const)
    expect(asked(`automation:${kind}:orphans:3`)).toEqual({ action: `${kind}.owner`, on: { kind: 'project', id: '3' } })
})

test('a grant for a timer names its lines, its times and whether it fires; one for what is done to it, its version', () => {
  const point = { PointNo: 1, At: '22:00', Action: 'trip' }
  const timer = {
    ...{ TimerID: 7, Name: '照明', Function: 'switch', Type: 'weekly', Period: { Days: 31 }, Points: [point] },
    Exceptions: [{ FromDate: '2026-12-24', ToDate: '2026-12-26', Do: 'none' as const }],
    ...{ Lines: [at('B', 1), at('A', 2)], SceneID: null, KeepWhileWanted: true, Enabled: true },
  }
  const operation = timerOperation(timer)
  expect(operation).toMatch(/^automation:timer:7:[0-9a-f]{64}$/)
  // As it is stored and as it is typed.
  const period = { Days: 31, FromDate: null, ToDate: null }
  expect(timerOperation({ ...timer, Name: '照明 ', Period: period, Lines: [at('A', 2), at('B', 1), at('A', 2)] })).toBe(operation)
  const others: readonly Partial<Parameters<typeof timerOperation>[0]>[] = [
    ...[{ TimerID: null }, { TimerID: 8 }, { Name: '灯' }, { Function: 'test' }, { Type: 'sun' }, { Period: { Days: 30 } }],
    ...['Date', 'FromDate', 'ToDate'].map((key) => ({ Period: { Days: 31, [key]: '2026-12-01' } })),
    { Period: { Days: 31, Classes: ['workday'] } },
    ...[{ PointNo: 2 }, { At: '22:01' }, { At: { Sun: 'set', OffsetMin: 0 } }, { At: { Sun: 'set', OffsetMin: 5 } }].map(
      (other) => ({
        Points: [{ ...point, ...other }],
      }),
    ),
    ...[{ Points: [{ ...point, Action: 'close' }] }, { Exceptions: [] }, { Lines: [at('A', 2)] }, { SceneID: 3 }],
    ...[{ FromDate: '2026-12-25' }, { ToDate: '2026-12-25' }, { Do: [point] }].map((other) => ({
      Exceptions: [{ FromDate: '2026-12-24', ToDate: '2026-12-26', Do: 'none' as const, ...other }],
    })),
    ...[{ KeepWhileWanted: false }, { Enabled: false }],
  ]
  expect(new Set([operation, ...others.map((other) => timerOperation({ ...timer, ...other }))]).size).toBe(others.length + 1)
  const asked = (each: string) => operationIn(aboutOperation(each).id)
  expect(asked(operation)).toEqual({ action: 'timer.edit', on: { kind: 'timer', id: '7' } })
  expect(asked(timerOperation({ ...timer, TimerID: null }))?.action).toBe('timer.add')
  const acts = timerActs.map((act) => timerActOperation(act, { TimerID: 7, Version: 3 }))
  expect(acts[0]).toBe('automation:timer:7:enable/3')
  expect(acts.map((each) => asked(each)?.action)).toEqual(['timer.enable', 'timer.skip', 'timer.owner'])
  expect(asked('automation:timer:7:owner/3')?.on).toEqual({ kind: 'timer', id: '7' })
})

test('a grant for a linkage is bound to what is saved', () => {
  const condition = { Kind: 'point', ControllerID: 'A', LineNo: 1, Key: 'current.a', Op: '>', Value: 5, Release: null, ForS: 0 }
  const action = { Kind: 'trip', ControllerID: 'A', LineNo: 1, DelayS: 0 }
  const linkage = {
    LinkageID: 7,
    Name: 'n',
    Mode: 'live',
    Match: 'all',
    MayClose: false,
    Conditions: [condition],
    Actions: [action],
  }
  const order = { Title: 't', Priority: 'high', PersonInCharge: null }
  const others = [
    { ...linkage, LinkageID: null },
    { ...linkage, LinkageID: 8 },
    { ...linkage, Name: 'm' },
    { ...linkage, Mode: 'shadow' },
    { ...linkage, Match: 'any' },
    { ...linkage, MayClose: true },
    ...[{ LineNo: 2 }, { Key: 'current.b' }, { Op: '<' }, { Value: 6 }, { Release: 1 }, { ForS: 1 }].map((other) => ({
      ...linkage,
      Conditions: [{ ...condition, ...other }],
    })),
    ...[
      ...[{ Kind: 'close' }, { LineNo: 2 }, { SceneID: 1 }, { DelayS: 1 }, { Order: order }],
      ...[{ Title: 'u' }, { Priority: 'low' }, { PersonInCharge: 'p' }].map((other) => ({ Order: { ...order, ...other } })),
    ].map((other) => ({
      ...linkage,
      Actions: [{ ...action, ...other }],
    })),
  ]
  expect(new Set([linkage, ...others].map(linkageOperation)).size).toBe(21)
  const asked = (operation: string) => operationIn(aboutOperation(operation).id)
  expect(asked(linkageOperation(linkage))).toEqual({ action: 'linkage.edit', on: { kind: 'linkage', id: '7' } })
  expect(asked(linkageOperation({ ...linkage, LinkageID: null }))?.action).toBe('linkage.add')
  const read = { LinkageID: 7, Version: 2 }
  const run = linkageRunOperation('r1', read, [{ Action: 'trip' }])
  expect(run).toBe('trip:linkage/r1/7/2')
  expect(linkageRunOperation('r1', read, [{ Action: 'trip' }, { Action: 'close' }])).toBe('close:linkage/r1/7/2')
  expect(asked(run)).toEqual({ action: 'linkage.run', on: { kind: 'linkage', id: '7' } })
})
