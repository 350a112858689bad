import type { Request } from '@linewarden/contract'
import { insertScene, linkageLog, runLinkage, switchScene, updateLinkage } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLinkageFirings } from '../../../apps/server/src/areas/automation/linkage-firings.ts'
import { foldNow } from '../../../apps/server/src/areas/automation/linkage-reports.ts'
import { keptOf, newLiveLinkage } from '../../../apps/server/src/areas/automation/linkage-state.ts'
import { foldedView } from '../../../apps/server/src/areas/automation/linkage-view.ts'
import { namedUuid } from '../../../apps/server/src/lib/named-uuid.ts'
import { linkageById } from '../../../apps/server/src/store/automation/linkage.ts'
import { clockOf } from '../../../apps/server/src/store/jobs/due-work.ts'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, startLinkageHouse } from '../../kit/linkage-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// What a linkage must not do, whatever fails or is changed beside it.
let house: LinkageHouse
beforeAll(async () => {
  house = await startLinkageHouse({ expects: /a linkage cannot be evaluated|could not be stored/ })
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  for (const lineNo of [1, 2, 3, 4, 5]) house.line(lineNo).position = 'closed'
  await house.currentOf(3, 1)
})

const database = () => house.stack.server.database
const uuid = () => crypto.randomUUID()
/** Says something to the database that no call does. */
async function stores(text: string): Promise<void> {
  const client = await database().connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
const alarmsOf = (lineNo: number) =>
  [...(house.stack.server.plant.lineAt('A-T1', lineNo)?.alarms.values() ?? [])].map(({ key }) => key)
const scene = (Name: string, items: readonly [number, 'trip' | 'close'][], Enabled = true) =>
  house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name, Icon: 'scene', IfRefused: 'goOn', Enabled },
      Items: items.map(([LineNo, Action], Order) => ({ ...at(LineNo), Action, Order })),
    },
  })

/** Stores a firing as the engine does, and has nobody carry it out. */
async function fires(LinkageID: number, own: { at?: number; mayClose?: boolean }) {
  const { server } = house.stack
  const linkage = await linkageById(database().general, LinkageID)
  const live = linkage && newLiveLinkage(server.plant, linkage, { kept: null, before: null }, house.now())
  if (!live) throw new Error('no linkage')
  const firing = { at: house.now(), mayClose: true, late: false, truths: [true], values: [60], changes: [], ...own } as const
  const runner = { holder: { server: uuid(), clock: clockOf(house.now) } }
  const deps = { ...server, clock: house.now, runner } as unknown as Parameters<typeof createLinkageFirings>[0]
  const view = foldedView(live.rule, live.state, house.now())
  return createLinkageFirings(deps).fire({ linkage, kept: { ...keptOf(live), rises: 1_000 }, firing, view })
}

test('a linkage that cannot be evaluated keeps no other from it, and begins anew itself', async () => {
  const broken = await house.made('坏', { Conditions: [above(3)], Actions: [does('trip', 1)] })
  const sound = await house.made('好', { Conditions: [above(3)], Actions: [does('trip', 2)] })
  await house.turned(broken.LinkageID, 'disable')
  await stores(`update linkage_state set state = '{}', version = (select version + 1 from linkage where linkage_id = ${broken.LinkageID})
    where linkage_id = ${broken.LinkageID}`)
  await stores(`insert into linkage_state (linkage_id, version, state, at) select linkage_id, version + 1, '{}', now() from linkage
    where linkage_id = ${broken.LinkageID} on conflict do nothing`)
  await house.turned(broken.LinkageID, 'enable')
  await house.reported()
  const positions = () => [1, 2].map((lineNo) => house.line(lineNo).position)
  await house.currentOf(3, 60)
  await eventually(() => expect(positions()).toEqual(['open', 'open']))
  for (const lineNo of [1, 2]) house.line(lineNo).position = 'closed'
  await house.currentOf(3, 1, 61_000)
  await house.currentOf(3, 60)
  await eventually(() => expect(positions()).toEqual(['open', 'open']))
  for (const { LinkageID } of [broken, sound]) await house.gone(LinkageID)
})

test('a delayed action that cannot be stored holds up no other, is tried again, and ends as missed', async () => {
  const { LinkageID } = await house.made('延时二', {
    Conditions: [above(3)],
    Actions: [does('trip', 1, 60), does('trip', 2, 60)],
  })
  await house.reported()
  await house.currentOf(3, 60)
  const due = await database().general.selectFrom('linkage_due').selectAll().where('linkage_id', '=', LinkageID).execute()
  const first = due.find(({ position }) => position === 0)?.run_id ?? ''
  // The id that its trips would have is taken.
  await stores(`insert into operation_run (run_id, action, actor, reason, stagger_ms, started_at, ended_at)
    values ('${namedUuid(first, 'trip')}', 'trip', '', '', 1000, now(), now())`)
  house.pass(60_000)
  await house.engine().tick()
  await eventually(() => expect(house.line(2).position).toBe('open'))
  expect(house.line(1).position).toBe('closed')
  house.pass(61_000)
  await eventually(async () => {
    await house.engine().tick()
    const runs = await house.logOf(LinkageID)
    expect(runs.find(({ RunID }) => RunID === first)).toMatchObject({ State: 'missed', Why: 'late' })
  })
  await house.gone(LinkageID)
})

test('what is set to shadow meanwhile does nothing later either', async () => {
  const { LinkageID } = await house.made('转试运行', { Conditions: [above(3)], Actions: [does('trip', 1, 60)] })
  await house.reported()
  await house.currentOf(3, 60)
  await house.turned(LinkageID, 'shadow')
  house.pass(61_000)
  await house.engine().tick()
  expect((await house.logOf(LinkageID)).map(({ State, Why }) => [State, Why])).toEqual([
    ['skipped', 'shadow'],
    ['done', null],
  ])
  expect(house.line(1).position).toBe('closed')
  await house.gone(LinkageID)
})

test('what nobody observed, or is stored too late, closes nothing: neither now nor by a scene later; it says so', async () => {
  const { SceneID } = await scene('合', [[5, 'close']])
  const Actions = [does('trip', 1), does('close', 4), { Kind: 'scene', SceneID, DelayS: 60 } as const]
  const { LinkageID } = await house.made('合闸', { Conditions: [above(3)], Actions, MayClose: true })
  await house.turned(LinkageID, 'live')
  const outcomes = (fired: Awaited<ReturnType<typeof fires>>) =>
    fired.run?.operations.map(({ action, lines }) => [action, lines[0]?.state, lines[0]?.refusal?.key ?? null])
  const open = [['trip', 'waiting', null] as const]
  const dueClose = async () =>
    (await database().general.selectFrom('linkage_due').select('may_close').where('linkage_id', '=', LinkageID).execute()).map(
      ({ may_close }) => may_close,
    )
  expect(outcomes(await fires(LinkageID, {}))).toEqual([...open, ['close', 'waiting', null]])
  expect(await dueClose()).toEqual([true])
  await stores(`delete from linkage_due`)
  house.pass(120_000)
  expect(outcomes(await fires(LinkageID, { mayClose: false }))).toEqual([...open, ['close', 'refused', 'unobserved']])
  expect(await dueClose()).toEqual([false])
  await stores(`delete from linkage_due`)
  house.pass(120_000)
  expect(outcomes(await fires(LinkageID, { at: house.now() - 5_001 }))).toEqual([...open, ['close', 'refused', 'late']])
  await stores(`delete from linkage_due`)
  await house.gone(LinkageID)
})

test('whoever disables, changes or removes a linkage ends its closes that have had no turn; its trips go on', async () => {
  const own = { Conditions: [above(3)], Actions: [does('trip', 1), does('close', 4)], MayClose: true }
  const { LinkageID } = await house.made('中止', own)
  await house.turned(LinkageID, 'live')
  const revoked = async (executionId: string | undefined) =>
    (
      await database()
        .general.selectFrom('operation_run')
        .select(['action', 'revoked_at'])
        .where('automation_run_id', '=', executionId ?? '')
        .orderBy('action', 'desc')
        .execute()
    ).map(({ action, revoked_at }) => [action, revoked_at !== null])
  const changes: readonly (() => Promise<unknown>)[] = [
    () => house.turned(LinkageID, 'disable'),
    () => house.turned(LinkageID, 'shadow'),
    async () => {
      const { Version } = await house.stored(LinkageID)
      const { HouseID: _, ...form } = house.form('改名', own)
      await house.stack.client.call(updateLinkage, { body: { LinkageID, Version, ...form } })
    },
    () => house.gone(LinkageID),
  ]
  for (const change of changes) {
    await house.turned(LinkageID, 'live')
    await house.turned(LinkageID, 'enable')
    house.pass(120_000)
    const { run } = await fires(LinkageID, {})
    expect(await revoked(run?.executionId)).toEqual([
      ['trip', false],
      ['close', false],
    ])
    await change()
    expect(await revoked(run?.executionId)).toEqual([
      ['trip', false],
      ['close', true],
    ])
  }
})

test('an alarm in between makes no way from a danger to a close; nor does what a danger has tripped', async () => {
  const states = house.stack.server.plant.lineAt('A-Y1', 0)?.device.family.states ?? []
  const alarm = states.find(({ key }) => key === 'smoke.alarm')?.values.findIndex(({ key }) => key === 'alarm') ?? -1
  const smoke = { Kind: 'state', ...at(0, 'A-Y1'), Key: 'smoke.alarm', Op: '=', Value: alarm, ForS: 0 } as const
  const fire = await house.made('火警', { Conditions: [smoke], Actions: [does('trip', 1), does('raise', 7)] })
  const raised = { Kind: 'alarm', ...at(7), Key: `linkage.raised@${fire.LinkageID}`, Op: '=', Value: 0, ForS: 0 } as const
  expect(await outcomeOf(house.made('绕行', { Conditions: [raised], Actions: [does('close', 2)], MayClose: true }))).toBe(
    'linkage may not close',
  )
  house.line(2).position = 'open'
  const isOpen = { Kind: 'state', ...at(1), Key: 'position', Op: '=', Value: 0, ForS: 0 } as const
  const next = await house.made('转供', { Conditions: [isOpen], Actions: [does('close', 2)], MayClose: true })
  await house.turned(next.LinkageID, 'live')
  // So long after its last message that it is back is seen by the server's next look; what is known for the first time then begins nothing.
  await eventually(async () => {
    await house.reported()
    expect((await house.stored(fire.LinkageID)).State).toBe('false')
  })
  house.gateway().detector('A-Y1').forcedStates.set('smoke.alarm', 'alarm')
  await house.reported()
  await eventually(() => expect(house.line(1).position).toBe('open'))
  await eventually(async () => {
    await house.reported()
    const [run] = await house.logOf(next.LinkageID)
    expect(run?.Cause).toHaveLength(1)
    expect(run?.Lines.map(({ State, Refusal }) => [State, Refusal?.Key])).toEqual([['refused', 'linkage may not close']])
  })
  expect(house.line(2).position).toBe('open')
  house.gateway().detector('A-Y1').forcedStates.delete('smoke.alarm')
  for (const { LinkageID } of [fire, next]) await house.gone(LinkageID)
})

test('a close that comes to a linkage by a change is watched first, as that of a new one', async () => {
  const own = { Conditions: [above(3)], Actions: [does('trip', 1)], MayClose: true }
  const { LinkageID, Version, Mode } = await house.made('后加', own)
  const saved = async (Actions: Request<typeof updateLinkage>['body']['Actions'], version: number) => {
    const { HouseID: _, ...form } = house.form('后加', { ...own, Actions })
    return house.stack.client.call(updateLinkage, { body: { LinkageID, Version: version, ...form } })
  }
  const added = await saved([does('trip', 1), does('close', 4)], Version)
  expect([Mode, added.Mode]).toEqual(['live', 'shadow'])
  const live = await house.turned(LinkageID, 'live')
  // What it closed before, watched and let, it goes on closing.
  expect((await saved([does('close', 4)], live.Version)).Mode).toBe('live')
  await house.gone(LinkageID)
})

test('what is about to come true is not lost when only a name is changed', async () => {
  const own = { Conditions: [above(3, 50, 100)], Actions: [does('trip', 1)] }
  const { LinkageID, Version } = await house.made('旧名', own)
  await house.reported()
  await house.currentOf(3, 60)
  await house.currentOf(3, 60, 60_000)
  const { HouseID: _, ...form } = house.form('新名', own)
  await house.stack.client.call(updateLinkage, { body: { LinkageID, Version, ...form } })
  await house.currentOf(3, 60, 45_000)
  await eventually(() => expect(house.line(1).position).toBe('open'))
  await house.gone(LinkageID)
})

test('that one has stopped itself is announced also where nobody came to say so, and no longer once it is removed', async () => {
  const { LinkageID } = await house.made('停止', { Conditions: [above(3)], Actions: [does('trip', 1)] })
  await stores(`update linkage set halted_at = now(), halted_why = 'maxPerDay' where linkage_id = ${LinkageID}`)
  const looked = async () => {
    house.pass(6_000)
    await house.engine().tick()
    await house.stack.server.ingest.drained()
    return alarmsOf(3)
  }
  await eventually(async () => expect(await looked()).toContain('linkage.halted'))
  await house.gone(LinkageID)
  await eventually(async () => expect(await looked()).not.toContain('linkage.halted'))
})

test('a run of a scene that is disabled is not done, and says why', async () => {
  const { SceneID, Version } = await scene('停用', [[1, 'trip']])
  const Actions = [{ Kind: 'scene', SceneID, DelayS: 0 } as const]
  const { LinkageID } = await house.made('停用场景', { Conditions: [above(3)], Actions })
  await house.stack.client.call(switchScene, {
    body: { SceneID, RunID: uuid(), Reason: '停用', Mode: 'disable', Version },
  })
  await house.reported()
  await house.currentOf(3, 60)
  expect((await house.logOf(LinkageID)).map(({ State, Why }) => [State, Why])).toEqual([['refused', 'sceneDisabled']])
  await house.gone(LinkageID)
})

test('by a clock that was set back readings still count, and none counts twice', async () => {
  const { LinkageID } = await house.made('拨回', { Conditions: [above(3)], Actions: [does('trip', 1)], Enabled: false })
  const linkage = await linkageById(database().general, LinkageID)
  const { plant, ingest } = house.stack.server
  const known = plant.lineAt('A-T1', 3)
  if (!linkage || !known) throw new Error('no linkage')
  const slot = known.device.family.points.find(({ key }) => key === 'current.a')?.slot ?? 0
  const line = { ...known, values: [...known.values], valuesReceivedAt: [...known.valuesReceivedAt], liveAt: null }
  const start = 10_000_000_000
  const live = newLiveLinkage({ lines: new Map([[line.id, line]]) } as never, linkage, { kept: null, before: null }, start)
  if (!live) throw new Error('no line')
  const looks = (now: number) => foldNow(ingest, live, () => true, now)
  const reports = (now: number, ampere: number) => {
    line.valuesReceivedAt[slot] = now
    line.values[slot] = ampere
    return looks(now)
  }
  const hour = 3_600_000
  expect([reports(start + 1_000, 1), reports(start + 60_000, 1)].flat()).toEqual([])
  // An hour back: what comes now is newer than what came before.
  const back = start - hour
  expect(looks(back + 1_000)).toEqual([])
  expect(reports(back + 10_000, 60)).toMatchObject([{ mayClose: true }])
  expect(live.state.conditions).toMatchObject([{ value: 60, goodAt: back + 10_000 }])
  // Half a second back: too little to notice.
  expect(reports(back + 9_500, 1)).toEqual([])
  expect(reports(back + 9_700, 60)).toMatchObject([{ mayClose: true }])
  // And it is as old as it is: its time by the old clock is still to come.
  line.valuesReceivedAt[slot] = start + 60_000
  live.taken.fill(start + 60_000)
  for (let now = back + 70_000; now < back + 300_000; now += 60_000) looks(now)
  expect(foldedView(live.rule, live.state, back + 300_000).conditions).toMatchObject([{ truth: 'unknown' }])
  await house.gone(LinkageID)
})

test('a person has one act whose conditions are true, once for each intent', async () => {
  await house.currentOf(3, 60)
  const { LinkageID } = await house.made('立即', { Conditions: [above(3)], Actions: [does('trip', 1)] })
  await house.reported()
  const RunID = uuid()
  const run = async (id: string = RunID, version?: number) => {
    const { Version } = await house.stored(LinkageID)
    return house.stack.client.call(runLinkage, {
      body: { LinkageID, RunID: id, Version: version ?? Version, Reason: '启用时条件已成立' },
    })
  }
  await house.turned(LinkageID, 'shadow')
  expect(await outcomeOf(run())).toBe('linkage orders nothing')
  await house.turned(LinkageID, 'live')
  expect(await house.logOf(LinkageID)).toEqual([])
  expect(await outcomeOf(run(RunID, 1))).toBe('changed meanwhile')
  expect(await outcomeOf(run(namedUuid('linkage', LinkageID, 1)))).toBe('invalid parameter')
  expect(await run()).toEqual({ LinkageID, RunID })
  expect(await run()).toEqual({ LinkageID, RunID })
  await eventually(() => expect(house.line(1).position).toBe('open'))
  const runs = (await house.stack.client.call(linkageLog, { body: { LinkageID } })).items
  expect(runs).toMatchObject([{ RunID, Actor: house.stack.admin.userName }])
  await house.currentOf(3, 1)
  expect(await outcomeOf(run(uuid()))).toBe('linkage not true')
  await house.gone(LinkageID)
})

test('whoever sees a line of it learns live that a linkage stands otherwise, and that it acted', async () => {
  const { LinkageID } = await house.made('实时', { Conditions: [above(3)], Actions: [does('trip', 1)] })
  const { hub } = house.stack.server
  let learnt: string[] = []
  const end = hub.subscribe(({ live = [] }) => {
    for (const { to, message } of live)
      if (typeof message === 'object' && message.t === 'linkage' && message.LinkageID === LinkageID)
        learnt.push('gateway' in to ? to.gateway.number : 'somebody else')
  })
  const published = () => eventually(() => expect([...new Set(learnt)]).toEqual(['GW-A']))
  await house.reported()
  await published()
  learnt = []
  await house.currentOf(3, 60)
  await published()
  learnt = []
  await house.turned(LinkageID, 'disable')
  await published()
  end()
  await house.gone(LinkageID)
})
