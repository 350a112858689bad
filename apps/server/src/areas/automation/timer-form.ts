import type { TimerForm } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type {
  NamedLine,
  NamedScene,
  Period,
  ProjectTime,
  Schedule,
  SkipNext,
  TimerDraft,
  TimerPoint,
} from '@linewarden/rules/automation'
import { timerProblems } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine, PlantProject } from '../../plant/plant.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import type { TimerScene } from '../../store/automation/timer.ts'
import { targetOf } from '../control/gate.ts'
import type { AutomationDeps } from './deps.ts'

/** A timer as its form sends it, as far as it is filled in. */
export interface TimerRead {
  readonly draft: TimerDraft
  readonly lines: readonly PlantLine[]
  /** Null: it runs none, or none that may be run. */
  readonly scene: TimerScene | null
}

/** Reads a form, with the scenes of its project where it runs one. */
export async function readWithScenes(
  { database, plant }: Pick<AutomationDeps, 'database' | 'plant'>,
  actor: Actor,
  project: PlantProject,
  form: TimerForm,
): Promise<TimerRead> {
  const scenes = form.Function === 'scene' ? await scenesOf(database.general, [project.id]) : []
  return readForm(plant, actor, project, form, scenes)
}

/** A line that the actor does not see is as one that is not there. `scenes`: of the project. */
function readForm(plant: Plant, actor: Actor, project: PlantProject, form: TimerForm, scenes: readonly StoredScene[]): TimerRead {
  if (form.Function === 'scene') return readSceneForm(plant, actor, form, scenes)
  const lines = new Map<string, NamedLine | null>()
  const found: PlantLine[] = []
  for (const { ControllerID, LineNo } of form.Lines) {
    const line = plant.lineAt(ControllerID, LineNo)
    const key = `${ControllerID}/${LineNo}`
    if (lines.has(key)) continue
    if (!line || !actor.seesGateway(line.device.gateway)) {
      lines.set(key, null)
      continue
    }
    found.push(line)
    lines.set(key, {
      inProject: line.device.gateway.project === project,
      actions: line.device.family.actions.map(({ key: action }) => action),
    })
  }
  return { draft: { ...draftOf(form), lines, scene: null }, lines: found, scene: null }
}

/** The lines of a scene are named by the scene: those of the form are not looked at. */
function readSceneForm(plant: Plant, actor: Actor, form: TimerForm, scenes: readonly StoredScene[]): TimerRead {
  const draft = draftOf(form)
  const scene = scenes.find(({ sceneId }) => sceneId === form.SceneID)
  if (!scene)
    return { draft: { ...draft, lines: new Map(), scene: form.SceneID == null ? null : 'unknown' }, lines: [], scene: null }
  const lines = scene.items.flatMap(({ lineId }) => {
    const line = plant.lines.get(lineId)
    return line && actor.seesGateway(line.device.gateway) ? [line] : []
  })
  const named = nameOf(scene, lines.length, form.Enabled)
  return { draft: { ...draft, lines: new Map(), scene: named }, lines, scene: named === 'unknown' ? null : scene }
}

function nameOf({ items, enabled }: StoredScene, seen: number, isToFire: boolean): NamedScene {
  if (seen === 0) return 'unknown'
  if (seen < items.length) return 'part'
  return isToFire && !enabled ? 'disabled' : 'fits'
}

const draftOf = (form: TimerForm): Omit<TimerDraft, 'lines' | 'scene'> => ({
  name: form.Name,
  function: form.Function,
  period: periodOf(form),
  points: form.Points.map(pointOf),
  exceptions: form.Exceptions.map(({ FromDate, ToDate, Do }) => ({
    fromDate: FromDate,
    toDate: ToDate,
    points: Do === 'none' ? Do : Do.map(pointOf),
  })),
})

/** The schedule of a draft that has no problems. */
export function scheduleOf({ period, points, exceptions }: TimerDraft, skipNext: SkipNext | null): Schedule {
  if (!period) throw new Refusal('invalid parameter')
  return { period, points, exceptions, skipNext }
}

/** Everything that is wrong with a form, by the rules. */
export const problemsOf = ({ draft }: TimerRead, time: ProjectTime, timersOfProject: number, now: number) =>
  timerProblems(draft, time, timersOfProject, now).map((problem) => {
    // The rules name a line by its key, the form by its place.
    const line = problem.field?.startsWith('Lines.') ? problem.field.slice('Lines.'.length) : null
    const index = line === null ? -1 : [...draft.lines.keys()].indexOf(line)
    return index === -1 ? problem : { ...problem, field: `Lines.${index}` }
  })

function periodOf({ Type, Period: given }: TimerForm): Period | null {
  const bounds = { fromDate: given.FromDate ?? null, toDate: given.ToDate ?? null }
  switch (Type) {
    case null:
      return null
    case 'once':
      return { type: Type, date: given.Date ?? '', ...bounds }
    case 'calendar':
      return { type: Type, classes: given.Classes ?? [], ...bounds }
    case 'monthly':
      return { type: Type, days: Array.isArray(given.Days) ? given.Days : [], ...bounds }
    default:
      return { type: Type, days: typeof given.Days === 'number' ? given.Days : 0, ...bounds }
  }
}

const pointOf = ({ PointNo, At, Action }: TimerForm['Points'][number]): TimerPoint => ({
  pointNo: PointNo,
  at: typeof At === 'string' ? At : { sun: At.Sun, offsetMin: At.OffsetMin },
  action: Action,
})

/** The same way back: what is stored, as the form has it. */
export function formOf({ period, points, exceptions }: Pick<Schedule, 'period' | 'points' | 'exceptions'>) {
  const bounds = { FromDate: period.fromDate, ToDate: period.toDate }
  return {
    Type: period.type,
    Period:
      period.type === 'once'
        ? { Date: period.date, ...bounds }
        : period.type === 'calendar'
          ? { Classes: [...period.classes], ...bounds }
          : period.type === 'monthly'
            ? { Days: [...period.days], ...bounds }
            : { Days: period.days, ...bounds },
    Points: points.map(formPoint),
    Exceptions: exceptions.map(({ fromDate, toDate, points: own }) => ({
      ...{ FromDate: fromDate, ToDate: toDate },
      Do: own === 'none' ? own : own.map(formPoint),
    })),
  }
}

const formPoint = ({ pointNo, at, action }: TimerPoint) => ({
  PointNo: pointNo,
  At: typeof at === 'string' ? at : { Sun: at.sun, OffsetMin: at.offsetMin },
  Action: action,
})

export const lineKey = (line: PlantLine): string => targetOf(line)
