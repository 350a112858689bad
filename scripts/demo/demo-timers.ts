import { about } from '@linewarden/contract'
import { minuteMs } from '@linewarden/equipment'
import type { Period, SceneAction, TimerPoint } from '@linewarden/rules/automation'
import type { Server } from '@linewarden/server/compose'
import { nextOf, timeOfProject } from '../../apps/server/src/areas/automation/project-time.ts'
import type { PlantProject } from '../../apps/server/src/plant/plant.ts'
import type { StoredScene } from '../../apps/server/src/store/automation/scene.ts'
import { insertScene, scenesOf } from '../../apps/server/src/store/automation/scene.ts'
import { timersWhere } from '../../apps/server/src/store/automation/timer.ts'
import { insertTimer } from '../../apps/server/src/store/automation/timer-write.ts'
import { databaseClock } from '../../apps/server/src/store/jobs/due-work.ts'
import { updateProject } from '../../apps/server/src/store/site/project.ts'
import type { Person } from './past-records.ts'

/** A timer of the demo; of a plan that was cut down, with those of its lines that are there. */
interface DemoTimer {
  readonly name: string
  readonly lines: readonly string[]
  readonly period: Period
  readonly points: readonly TimerPoint[]
}

const always = { fromDate: null, toDate: null } as const
const week = 127
const floors = (n: readonly number[], lineNo: number) => n.map((floor) => `BJ0${floor}-S1/${lineNo}`)
const point = (pointNo: number, at: TimerPoint['at'], action: TimerPoint['action']): TimerPoint => ({ pointNo, at, action })

/** What switched lines in the past of the demo, and goes on to do so. */
export const nightTimers = {
  office: { name: '办公区照明', lines: floors([2, 3, 4], 1), on: '07:10', off: '22:00' },
  garage: { name: '车库照明', lines: ['WH06-S1/1', 'WH06-S1/2'], on: '05:30', off: '23:30' },
} as const
export type NightTimer = keyof typeof nightTimers

const timers: readonly DemoTimer[] = [
  ...Object.values(nightTimers).map(({ name, lines, on, off }) => ({
    ...{ name, lines, period: { type: 'weekly', days: week, ...always } as const },
    points: [point(1, on, 'close'), point(2, off, 'trip')],
  })),
  {
    ...{ name: '工作日茶水间', lines: floors([1, 2, 3, 4, 5], 5), period: { type: 'calendar', classes: ['workday'], ...always } },
    points: [point(1, '07:30', 'close'), point(2, '20:30', 'trip')],
  },
  {
    ...{ name: '应急照明每月自检', lines: floors([1, 2, 3, 4, 5], 7), period: { type: 'monthly', days: [1], ...always } },
    points: [{ pointNo: 1, at: '02:00', action: 'test' }],
  },
  {
    ...{ name: '公共照明（日落至日出）', lines: [1, 2, 3, 5, 6].map((n) => `WH0${n}-S1/1`) },
    period: { type: 'sun', days: week, ...always },
    points: [point(1, { sun: 'set', offsetMin: 10 }, 'close'), point(2, { sun: 'rise', offsetMin: -10 }, 'trip')],
  },
]

/** These act within the first minutes, so that whoever looks sees one fire. */
const soon = [
  { name: '会议室插座', line: 'BJ01-S1/8', afterMin: 2 },
  { name: '楼道插座', line: 'WH05-S1/2', afterMin: 3 },
]

/** So do these, each by the scene that it runs. */
const soonScenes = [
  { name: '午间会议室断电', scene: '会议室断电', afterMin: 4 },
  { name: '午后会议室送电', scene: '会议室送电', afterMin: 8 },
]

const scenes: readonly {
  readonly name: string
  readonly icon: 'home' | 'work' | 'night' | 'power'
  readonly items: readonly [string, SceneAction][]
}[] = [
  {
    name: '全楼下班',
    icon: 'home',
    items: [...floors([1, 2, 3, 4, 5], 3), ...floors([1, 2, 3, 4, 5], 8)].map((line) => [line, 'trip']),
  },
  { name: '全楼上班', icon: 'work', items: floors([1, 2, 3, 4, 5], 3).map((line) => [line, 'close']) },
  {
    name: '车库夜间',
    icon: 'night',
    items: [
      ['WH06-S1/2', 'trip'],
      ['WH06-S1/1', 'close'],
    ],
  },
  { name: '会议室断电', icon: 'power', items: floors([2, 3], 8).map((line) => [line, 'trip']) },
  { name: '会议室送电', icon: 'power', items: floors([2, 3], 8).map((line) => [line, 'close']) },
]

/** Hangzhou, on the river. */
const coordinates = { latitude: 30.2084, longitude: 120.212 }

const linesOf = ({ plant }: Pick<Server, 'plant'>, places: readonly string[]) =>
  places.flatMap((place) => {
    const [controllerId = '', lineNo] = place.split('/')
    return plant.lineAt(controllerId, Number(lineNo)) ?? []
  })

const auditOf = ({ userName }: Person, project: PlantProject, at: number) =>
  ({ at, actor: userName, address: '', tenant: project.ownerId, outcome: 'done' }) as const

/** Timers and scenes of the demo's projects, as somebody set them up. Answers the ids of those that had a past. */
export async function addTimers(
  server: Pick<Server, 'database' | 'plant'>,
  person: Person,
  at: number,
): Promise<ReadonlyMap<NightTimer, number>> {
  const { database, plant } = server
  for (const project of new Set(
    linesOf(server, [...timers.flatMap(({ lines }) => lines)]).map(({ device }) => device.gateway.project),
  ))
    await updateProject(database, project.id, undefined, coordinates, {
      ...{ ...auditOf(person, project, at), action: 'project.edit', subject: about('project', project.id) },
    })
  for (const timer of timers) await addTimer(server, person, timer, at)
  for (const { name, icon, items } of scenes) {
    const known = items.flatMap(([place, action], order) =>
      linesOf({ plant }, [place]).map((line) => ({ line, item: { lineId: line.id, action, order: order + 1 } })),
    )
    const project = known[0]?.line.device.gateway.project
    if (!project) continue
    const owner = { accountId: person.accountId, name: person.userName }
    const scene = { name, icon, ifRefused: 'goOn', enabled: true, items: known.map(({ item }) => item) } as const
    const audit = { ...auditOf(person, project, at), action: 'scene.add', after: { name } } as const
    await insertScene(
      database,
      { ...scene, projectId: project.id, owner, most: 100 },
      { ...audit, subject: about('project', project.id) },
    )
  }
  const stored = await timersWhere(database.general, {})
  const keys = Object.keys(nightTimers) as NightTimer[]
  return new Map(
    keys.flatMap((key) => stored.filter(({ name }) => name === nightTimers[key].name).map(({ timerId }) => [key, timerId])),
  )
}

/** Timers that are due in a few minutes, and then every day: of lines, and of scenes. */
export async function addTimersOfNow(server: Pick<Server, 'database' | 'plant'>, person: Person, now: number): Promise<void> {
  const { database, plant } = server
  const first = Math.ceil(now / minuteMs) * minuteMs
  const period = { type: 'weekly', days: week, ...always } as const
  const clockOf = ({ timeZone }: Pick<PlantProject, 'timeZone'>) => {
    const wall = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    return (min: number) => wall.format(first + min * minuteMs)
  }
  for (const { name, line, afterMin } of soon) {
    const at = clockOf(linesOf(server, [line])[0]?.device.gateway.project ?? { timeZone: 'UTC' })
    const points = [point(1, at(afterMin), 'trip'), point(2, at(afterMin + 3), 'close')]
    await addTimer(server, person, { name, lines: [line], period, points }, now)
  }
  const scenesThere = await scenesOf(database.general, [...plant.projects.keys()])
  for (const { name, scene: called, afterMin } of soonScenes) {
    const scene = scenesThere.find((each) => each.name === called)
    const project = scene && plant.projects.get(scene.projectId)
    if (!scene || !project) continue
    const points = [point(1, clockOf(project)(afterMin), 'run')]
    await saveTimer(
      server,
      person,
      project,
      { name, scene, lineIds: scene.items.map(({ lineId }) => lineId), period, points },
      now,
    )
  }
}

async function addTimer(
  server: Pick<Server, 'database' | 'plant'>,
  person: Person,
  { name, lines: places, period, points }: DemoTimer,
  at: number,
): Promise<void> {
  const lines = linesOf(server, places)
  const project = lines[0]?.device.gateway.project
  if (project)
    await saveTimer(server, person, project, { name, scene: null, lineIds: lines.map(({ id }) => id), period, points }, at)
}

async function saveTimer(
  { database }: Pick<Server, 'database'>,
  person: Person,
  project: PlantProject,
  {
    name,
    scene,
    lineIds,
    period,
    points,
  }: Pick<DemoTimer, 'name' | 'period' | 'points'> & {
    readonly scene: StoredScene | null
    readonly lineIds: readonly number[]
  },
  at: number,
): Promise<void> {
  const time = await timeOfProject(database.general, project)
  const schedule = { period, points, exceptions: [], skipNext: null }
  const isTest = points.some(({ action }) => action === 'test')
  const values = {
    ...{ name, function: scene ? ('scene' as const) : isTest ? ('selfTest' as const) : ('switch' as const), schedule },
    ...{ keepWhileWanted: true, enabled: true, ownerId: person.accountId, ownerName: person.userName },
    ...{ sceneId: scene?.sceneId ?? null, scene, lineIds },
  }
  const due = { clock: databaseClock, next: (after: number) => nextOf(schedule, time, after) }
  // One that a start has left that was ended is there already.
  await insertTimer(database, project.id, values, due, { ...auditOf(person, project, at), action: 'timer.add', after: { name } })
}
