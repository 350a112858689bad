import type { ProjectRecord, TimerForm } from '@linewarden/contract'
import { editProject, getTimer, insertTimer, listJournal, projectDetails, switchTimer } from '@linewarden/contract'
import { sunTime } from '@linewarden/rules/automation'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, startStack } from '../../kit/stack.ts'

// What timers need beside their instants: coordinates of the sun, an owner, and somebody who looks at them every night.
let stack: Stack
// Nine in the morning of Shanghai: no sunrise or sunset is near.
const now = Date.UTC(2026, 10, 24, 1)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, fleet: { now: () => now } })
  calm(stack)
})
afterAll(() => stack?.close())

const house = () => stack.server.plant.deviceByControllerId.get('A-T1')?.gateway.project.id ?? 0
const details = () => stack.client.call(projectDetails, { params: { HouseID: house() } })

/** Everything of a project that its form sends. */
const fieldsOf = (project: ProjectRecord) => ({
  ...{ Name: project.Name, PersonInCharge: '王电工', ContactPhone: '13800000000' },
  ...{ Province: '上海市', City: '市辖区', District: '黄浦区' },
})
async function place(coordinates: { Latitude?: number | null; Longitude?: number | null }) {
  const project = await details()
  const body = { ...fieldsOf(project), ...coordinates, Version: project.Version }
  return stack.client.call(editProject, { params: { HouseID: project.HouseID }, body })
}

const daily = (Name: string, Points: TimerForm['Points'], ...lines: number[]): TimerForm => ({
  ...{ Name, Function: 'switch', Type: 'weekly', Period: { Days: 127 }, Points, Exceptions: [] },
  Lines: lines.map((LineNo) => ({ ControllerID: 'A-T1', LineNo })),
  ...{ KeepWhileWanted: true, Enabled: true },
})
const bySun = (Name: string, ...lines: number[]): TimerForm => ({
  ...daily(Name, [{ PointNo: 1, At: { Sun: 'set', OffsetMin: 15 }, Action: 'trip' }], ...lines),
  Type: 'sun',
})
const insert = (form: TimerForm) => stack.client.call(insertTimer, { body: { HouseID: house(), ...form } })

const shanghai = { Latitude: 31.2304, Longitude: 121.4737 }
const kashgar = { Latitude: 39.4704, Longitude: 75.9897 }
const sunset = ({ Latitude, Longitude }: typeof shanghai) =>
  (sunTime('set', { latitude: Latitude, longitude: Longitude }, Date.UTC(2026, 10, 24, 4)) ?? 0) + 15 * 60_000
const dueOf = async (timerId: number) =>
  (
    await stack.server.database.general.selectFrom('timer_due').select('due_at').where('timer_id', '=', timerId).execute()
  )[0]?.due_at.getTime()

test('coordinates of a project are degrees, both or neither, and stand in the log with what they were', async () => {
  expect((await details()).Latitude).toBeNull()
  expect([
    await outcomeOf(place({ Latitude: 31.2304 })),
    await outcomeOf(place({ Latitude: 31.2304, Longitude: null })),
    await outcomeOf(place({ Latitude: 90.1, Longitude: 0 })),
    await outcomeOf(place({ Latitude: 0, Longitude: -180.1 })),
  ]).toEqual(['coordinates incomplete', 'coordinates incomplete', 'invalid parameter', 'invalid parameter'])
  expect(await place(shanghai)).toMatchObject(shanghai)
  // What is left out stays as it is.
  expect(await place({})).toMatchObject(shanghai)
  const { items } = await stack.client.call(listJournal, { body: { Size: 5 } })
  const changed = items.find(({ Action, After }) => Action === 'project.edit' && After?.includes('121.4737'))
  expect(changed?.Before).toContain('"latitude": null')
  expect(await place({ Latitude: null, Longitude: null })).toMatchObject({ Latitude: null, Longitude: null })
})

test('a timer by the sun is due by the coordinates of its project, and anew when they are changed', async () => {
  expect(await outcomeOf(insert(bySun('景观照明', 1)))).toBe('position missing')
  await place(shanghai)
  const timer = await insert(bySun('景观照明', 1))
  expect([timer.Next[0]?.At, await dueOf(timer.TimerID)]).toEqual([sunset(shanghai), sunset(shanghai)])
  await place(kashgar)
  await stack.server.automation.tick()
  await vi.waitFor(async () => expect(await dueOf(timer.TimerID)).toBe(sunset(kashgar)), 10_000)
  expect((await stack.client.call(getTimer, { params: { TimerID: timer.TimerID } })).Next[0]?.At).toBe(sunset(kashgar))
})

test('coordinates that timers go by are not taken away, and without them none is enabled', async () => {
  const refused = await place({ Latitude: null, Longitude: null }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ problem: { failure: { Text: { zh: expect.stringContaining('景观照明') } } } })
  const timer = await insert({ ...bySun('夜景', 2), Enabled: false })
  const off = async (TimerID: number, Version: number) =>
    stack.client.call(switchTimer, { body: { TimerID, Version, Enabled: false } })
  const named = await stack.server.database.general
    .selectFrom('timer')
    .select('timer_id')
    .where('name', '=', '景观照明')
    .execute()
  await off(named[0]?.timer_id ?? 0, 1)
  await place({ Latitude: null, Longitude: null })
  const on = () => stack.client.call(switchTimer, { body: { TimerID: timer.TimerID, Version: timer.Version, Enabled: true } })
  expect(await outcomeOf(on())).toBe('position missing')
  await place(shanghai)
  expect((await on()).Next[0]?.At).toBe(sunset(shanghai))
})
