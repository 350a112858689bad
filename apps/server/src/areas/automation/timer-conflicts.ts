import type { TimerConflict } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import type { Conflict, ConflictFacts, PlannedTimer, ProjectTime, Schedule, TimerAction } from '@linewarden/rules/automation'
import { conflictEffects, conflicts } from '@linewarden/rules/automation'
import { tagsInForce } from '@linewarden/rules/control'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import type { StoredTimer, TimerScene } from '../../store/automation/timer.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import type { DueReading } from './due-reading.ts'
import type { NamedLinkage } from './live-linkages.ts'
import { liveLinkages } from './live-linkages.ts'
import { lineKey } from './timer-form.ts'

const horizonMs = 14 * dayMs
/** Of what is due on few days of a year. */
const longHorizonMs = 366 * dayMs

type Deps = Pick<AutomationDeps, 'database' | 'plant' | 'control'>

/** A timer as it would be saved; 0 of one that is new. */
export type PlannedDraft = Pick<StoredTimer, 'timerId' | 'name' | 'schedule' | 'lineIds' | 'scene'>

/** What a timer does to others of its project and to its lines, from now on, as far as `reading` comes. */
export async function conflictsOf(
  deps: Deps,
  project: PlantProject,
  draft: PlannedDraft,
  others: readonly StoredTimer[],
  time: ProjectTime,
  now: number,
  reading: DueReading,
): Promise<readonly TimerConflict[]> {
  const { plant } = deps
  const own = new Set(draft.lineIds)
  const sharing = others.filter(
    ({ timerId, enabled, lineIds }) => enabled && timerId !== draft.timerId && lineIds.some((id) => own.has(id)),
  )
  const timers: readonly PlannedDraft[] = [...sharing, draft]
  const horizon = now + horizonOf(draft.schedule)
  const { due, cutAt } = await reading.of(
    timers.map(({ schedule }) => schedule),
    time,
    now,
    horizon,
  )
  const planning = timers.map(
    (timer, index): PlannedTimer => ({
      ...{ timerId: timer.timerId, name: timer.name, sceneActions: sceneActionsOf(plant, timer.scene) },
      due: (due[index] ?? []).filter(({ skip }) => skip === null),
      lines: timer.lineIds.flatMap((id) => plant.lines.get(id) ?? []).map(lineKey),
      ...{ hasOwner: true, broken: [] },
    }),
  )
  const linkages = await liveLinkages(deps, project)
  const found = conflicts(planning, conflictFacts(deps, project, new Set(planning.at(-1)?.lines), cutAt ?? horizon, linkages))
  return (
    found
      .filter((each) => each.timerId === draft.timerId || (each.with?.kind === 'timer' && each.with.id === draft.timerId))
      // Of what was not looked at nobody says that nothing is due.
      .filter(({ key }) => key !== 'noRuns' || cutAt === null)
      .map((each) => conflictRecord(each, draft.timerId, others, linkages))
  )
}

/** What a scene does to its lines; null: it is none. */
export function sceneActionsOf(plant: Plant, scene: TimerScene | null): PlannedTimer['sceneActions'] {
  if (!scene) return null
  return new Map(
    scene.items.flatMap(({ lineId, action }) => {
      const line = plant.lines.get(lineId)
      return line ? [[lineKey(line), action] as const] : []
    }),
  )
}

/** How many of its lines take turns, one after another: trips of a scene go at once. */
export const turnsOf = ({
  scene,
  lineIds,
}: {
  readonly scene: TimerScene | null
  readonly lineIds: readonly unknown[]
}): number => (scene ? scene.items.filter(({ action }) => action === 'close').length : lineIds.length)

/** How far ahead it is looked: further where little is due. */
export const horizonOf = ({ period: { type } }: Schedule): number =>
  type === 'calendar' || type === 'monthly' || type === 'once' ? longHorizonMs : horizonMs

/** What conflicts are asked by; of tags, those on these lines. */
export const conflictFacts = (
  { plant, control }: Pick<Deps, 'plant' | 'control'>,
  project: PlantProject,
  lines: ReadonlySet<string>,
  to: number,
  linkages: readonly NamedLinkage[],
): ConflictFacts => ({
  timeZone: project.timeZone,
  quiet: control.quietHours
    .of(project)
    .Windows.map(({ Days, FromMinute, ToMinute }) => ({ days: Days, fromMinute: FromMinute, toMinute: ToMinute })),
  tags: [...lines].flatMap((key) => {
    const line = lineOf(plant, key)
    return line ? tagsInForce(line).map(({ holder, expectedEnd }) => ({ line: key, by: holder, expectedEnd })) : []
  }),
  linkages,
  staggerMs: minStaggerMs,
  canDo: (key, action) => canDo(lineOf(plant, key), action),
  to,
})

function lineOf(plant: Plant, key: string): PlantLine | null {
  const slash = key.lastIndexOf('/')
  return plant.lineAt(key.slice(0, slash), Number(key.slice(slash + 1)))
}

const canDo = (line: PlantLine | null, action: TimerAction): boolean => {
  const needed = action === 'test' ? 'selfTest' : action
  return line?.device.family.actions.some(({ key }) => key === needed) ?? false
}

/** What keeps a timer from being saved: what may never be, and a fight that nobody has given a reason for. */
export function refuseConflicts(plant: Plant, records: readonly TimerConflict[], reason: string | undefined): void {
  const against =
    records.find(({ Effect }) => Effect === 'refused') ??
    (reason ? undefined : records.find(({ Effect }) => Effect === 'confirm'))
  if (!against) return
  throw new Refusal('timer conflict', { why: whyOf(plant, against), conflicts: records })
}

/** Whoever acts on a line sees it, and with it every timer of its project that acts on it: both are named. */
function whyOf(plant: Plant, { Key, Line, Name }: TimerConflict): Text {
  const line = Line && (plant.lineAt(Line.ControllerID, Line.LineNo)?.name ?? null)
  const [zh, en] = line === null ? ['同一线路', 'A line'] : [line, line]
  switch (Key) {
    case 'quietHours':
      return { zh: '自检在禁止自检时段内', en: 'An RCD test falls into quiet hours' }
    case 'wearHour':
      return { zh: `${zh}一小时内操作超过 120 次`, en: `${en} is operated more than 120 times within an hour` }
    case 'noAction':
      return { zh: `${zh}没有该操作`, en: `${en} has no such operation` }
    default:
      return {
        zh: `${zh}一分钟内先后分闸和合闸${Name === null ? '' : `（另一定时“${Name}”）`}，请填写原因确认`,
        en: `${en} is tripped and closed within one minute${Name === null ? '' : `, the other way by “${Name}”`}. Give a reason to confirm`,
      }
  }
}

/** A conflict as its readers see it: the other timer only by what they may know. */
function conflictRecord(
  { key, timerId, with: side, line, at, figure }: Conflict,
  draftId: number,
  others: readonly StoredTimer[],
  linkages: readonly NamedLinkage[],
): TimerConflict {
  const otherId = timerId === draftId ? (side?.kind === 'timer' ? side.id : null) : timerId
  const linkage = side?.kind === 'linkage' ? linkages.find(({ linkageId }) => linkageId === side.id) : undefined
  const slash = line?.lastIndexOf('/') ?? -1
  return {
    Key: key,
    Effect: conflictEffects[key],
    TimerID: otherId,
    LinkageID: linkage?.linkageId ?? null,
    Name: linkage?.name ?? others.find((each) => each.timerId === otherId)?.name ?? null,
    By: side?.kind === 'tag' ? side.by : null,
    Line: line === null || slash < 0 ? null : { ControllerID: line.slice(0, slash), LineNo: Number(line.slice(slash + 1)) },
    At: at,
    Figure: figure,
  }
}
