import type { LineAgainst, previewTimer, Reply, Request } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { TimerAction } from '@linewarden/rules/automation'
import { nextRuns, turnsMs } from '@linewarden/rules/automation'
import type { GroupAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { wordsOfLines } from '../../store/automation/override.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { minStaggerMs } from '../control/stagger.ts'
import type { AutomationDeps } from './deps.ts'
import { dueReading } from './due-reading.ts'
import { skippedBy } from './overrides.ts'
import { problemPath, problemText } from './problem-texts.ts'
import { timeOfProject } from './project-time.ts'
import { conflictsOf, turnsOf } from './timer-conflicts.ts'
import type { TimerRead } from './timer-form.ts'
import { problemsOf, readWithScenes, scheduleOf } from './timer-form.ts'
import type { TimerList } from './timer-list.ts'
import { nextTime } from './timer-record.ts'

type Preview = Reply<typeof previewTimer>

interface Reason {
  readonly key: string
  readonly text: Text
}

const shownTimes = 5
const shownLines = 50
/** A draft without these shows when it would act all the same. */
const mayBeMissing: ReadonlySet<string> = new Set(['name missing', 'device missing', 'scene missing'])

/** In the order in which a run does them. */
const lineActions = ['trip', 'close', 'test'] as const satisfies readonly TimerAction[]
type LineAction = (typeof lineActions)[number]

/** What a timer would do if it were saved as it stands in its form; nothing is. */
export function createTimerPreview(deps: AutomationDeps, timers: Pick<TimerList, 'seen'>) {
  const { database, control, clock } = deps

  return async (actor: Actor, project: PlantProject, body: Request<typeof previewTimer>['body']): Promise<Preview> => {
    const timer = body.TimerID === undefined ? null : await timers.seen(actor, body.TimerID)
    const read = await readWithScenes(deps, actor, project, body)
    const time = await timeOfProject(database.general, project)
    const others = await timersWhere(database.general, { projectIds: [project.id] })
    const problems = problemsOf(read, time, others.length - (timer ? 1 : 0), clock())
    const schedule = read.draft.period && scheduleOf(read.draft, timer?.schedule.skipNext ?? null)
    const isSound = schedule !== null && problems.every(({ key }) => mayBeMissing.has(key))
    const draft = schedule && {
      ...{ timerId: timer?.timerId ?? 0, name: body.Name, schedule, scene: read.scene },
      lineIds: read.lines.map(({ id }) => id),
    }
    const reading = dueReading()
    const Conflicts = isSound && draft ? await conflictsOf(deps, project, draft, others, time, clock(), reading) : []
    const against = await linesAgainst(actor, isSound ? actionsOf(read) : new Map())
    return {
      Next: isSound ? nextRuns(schedule, time, clock(), shownTimes).map(nextTime) : [],
      Problems: problems.map((each) => ({ Path: problemPath(each), Key: each.key, Text: { ...problemText(each) } })),
      Conflicts: [...Conflicts],
      CutAt: reading.cutAt(),
      LengthMs: turnsMs(turnsOf({ scene: read.scene, lineIds: read.lines }), minStaggerMs),
      Against: against.slice(0, shownLines),
      AgainstCounts: lineActions.flatMap((Action) => {
        const Count = against.filter(({ Unmet }) => Unmet.some(({ Actions }) => Actions.includes(Action))).length
        return Count > 0 ? [{ Action, Count }] : []
      }),
    }
  }

  /** By the rights of whoever asks: they would be its owner. Of a line that nothing stands against there is no entry. */
  async function linesAgainst(
    actor: Actor,
    actions: ReadonlyMap<PlantLine, ReadonlySet<LineAction>>,
  ): Promise<readonly LineAgainst[]> {
    const words = await wordsOfLines(
      database.general,
      [...actions.keys()].map(({ id }) => id),
    )
    const found = new Map<PlantLine, LineAgainst['Unmet']>()
    const note = (line: PlantLine, action: LineAction, { key: Key, text: { zh, en } }: Reason) => {
      const unmet = found.get(line) ?? []
      found.set(line, unmet)
      const known = unmet.find((each) => each.Key === Key && each.Text.zh === zh)
      if (known) known.Actions.push(action)
      else unmet.push({ Key, Text: { zh, en }, Actions: [action] })
    }
    for (const action of lineActions) {
      const orderedAs: GroupAction = action === 'test' ? 'selfTest' : action
      const lines = [...actions].flatMap(([line, own]) =>
        own.has(action) && line.device.family.actions.some(({ key }) => key === orderedAs) ? line : [],
      )
      for (const line of lines) {
        const skip = skippedBy(line, words.get(line.id) ?? { given: null, ordered: null }, orderedAs, clock())
        if (skip) note(line, action, skip)
      }
      const unmet = await unmetOf(actor, lines, orderedAs)
      for (const [index, line] of lines.entries()) for (const each of unmet[index] ?? []) note(line, action, each)
    }
    return [...found].map(([line, Unmet]) => ({
      ...{ ControllerID: line.device.controllerId, LineNo: line.lineNo, LineName: line.name },
      Unmet,
    }))
  }

  /** Tags and inspections as the database knows them. No interlock stands against a trip; that it would not arrive is shown all the same. */
  async function unmetOf(
    actor: Actor,
    lines: readonly PlantLine[],
    action: GroupAction,
  ): Promise<readonly (readonly Reason[])[]> {
    const { interlocks } = control
    if (action !== 'trip') {
      const { items } = await interlocks.permitsOf(actor, lines, action)
      return lines.map((line, index) => {
        // One that is closed already is left as it is: that stands against nothing.
        const isDone = action === 'close' && interlocks.factsOf(line).position === 'closed'
        const unmet = (items[index]?.Unmet ?? []).filter(({ Key }) => !(isDone && Key === 'position'))
        return unmet.map(({ Key, Why, What }) => ({ key: Key, text: Why ?? What }))
      })
    }
    return lines.map((line) => {
      const away = interlocks
        .blockReasons({ line, action: 'close', actor })
        .filter(({ key }) => key === 'online' || key === 'reachable')
      return [...interlocks.blockReasons({ line, action, actor }), ...away].map(({ key, why, what }) => ({
        key,
        text: why ?? what,
      }))
    })
  }
}

/** What it would do to each of its lines on any of its dates. */
function actionsOf({ draft, lines, scene }: TimerRead): ReadonlyMap<PlantLine, ReadonlySet<LineAction>> {
  if (scene) {
    const ofScene = new Map(scene.items.map(({ lineId, action }) => [lineId, action]))
    return new Map(
      lines.map((line) => {
        const action = ofScene.get(line.id)
        return [line, new Set(action ? [action] : [])]
      }),
    )
  }
  const points = [draft.points, ...draft.exceptions.map(({ points: own }) => (own === 'none' ? [] : own))].flat()
  const all = new Set(points.flatMap(({ action }) => (action === 'run' ? [] : action)))
  return new Map(lines.map((line) => [line, all]))
}
