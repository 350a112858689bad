import type { Text } from '@linewarden/equipment'
import type { ClaimFacts, Occurrence, ProjectTime, RunState, SceneAction, WantingTimer } from '@linewarden/rules/automation'
import { dateSeen, missedWhy, runEnd, runSkip, stillWanted } from '@linewarden/rules/automation'
import type { GroupAction } from '@linewarden/rules/control'
import type { Kysely } from 'kysely'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { Decision, DuePoint, DueTimer, NewExecution, NewOperation } from '../../store/automation/claim.ts'
import type { NextDue, StoredTimer } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import type { GroupLineRefusal } from '../../store/control/group-operation.ts'
import type { Schema } from '../../store/core/schema.ts'
import { minStaggerMs } from '../control/stagger.ts'
import { nextOf, timesOfProjects } from './project-time.ts'
import { sceneOfRun, tooLate, waiting } from './scene-of-run.ts'

/** Why a line is left out of a run, in words. */
export const skipTexts = {
  stillWanted: (name: string): Text => ({ zh: `定时「${name}」仍需供电`, en: `The timer “${name}” still wants it on` }),
  changed: (): Text => ({
    zh: '定时已停用、修改或删除，该线路未操作',
    en: 'Not operated: the timer was disabled, changed or removed meanwhile',
  }),
  linkageChanged: (): Text => ({
    zh: '联动已停用、修改或删除，该线路未操作',
    en: 'Not operated: the linkage was disabled, changed or removed meanwhile',
  }),
  underWay: (): Text => ({ zh: '分闸已在执行', en: 'A trip is under way already' }),
  alreadySo: (): Text => ({ zh: '已在合闸位置', en: 'It is closed already' }),
} as const

/** Whether a timer would trip this line at its own time, by the rights that its owner has. */
export type MayTrip = (timer: StoredTimer, lineId: number) => boolean

const actions = { trip: 'trip', close: 'close', test: 'selfTest' } as const satisfies Record<string, GroupAction>

/**
 * What becomes of timers that are due, before any order: decided by the rules, on what is stored at this moment. `mayTrip`: only a timer that
 * will trip a line itself keeps another's trip of it back.
 */
export async function decideTimers(
  trx: Kysely<Schema>,
  due: readonly DueTimer[],
  facts: ClaimFacts,
  failed: Failed,
  mayTrip: MayTrip,
): Promise<readonly Decision[]> {
  const projectIds = [...new Set(due.map(({ timer }) => timer.projectId))]
  const times = await timesOfProjects(trx, projectIds)
  const tripping = new Map<number, number[]>()
  for (const { timer, due: point } of due)
    if (point.action === 'trip' && timer.keepWhileWanted)
      for (const lineId of timer.lineIds) tripping.set(lineId, [...(tripping.get(lineId) ?? []), timer.timerId])
  const wanting = tripping.size === 0 ? [] : await timersWhere(trx, { lineIds: [...tripping.keys()], enabled: true })
  const ofLine = new Map<number, StoredTimer[]>()
  for (const timer of wanting)
    for (const lineId of timer.lineIds) {
      // Of a line that no other timer trips nobody is asked: a timer keeps no trip of its own back.
      if (!tripping.get(lineId)?.some((timerId) => timerId !== timer.timerId) || !mayTrip(timer, lineId)) continue
      const sharing = ofLine.get(lineId)
      if (sharing) sharing.push(timer)
      else ofLine.set(lineId, [timer])
    }
  return due.map(({ timer, due: point }) => {
    const time = times.get(timer.projectId) as ProjectTime
    return decide(timer, point, { time, facts, failed, wanting: (lineId) => ofLine.get(lineId) ?? [] })
  })
}

/** What timers are due for after now, by the zones and calendars that are stored; null of one that cannot be read. */
export async function dueAgain(
  trx: Kysely<Schema>,
  timers: readonly StoredTimer[],
  now: number,
  failed: Failed,
): Promise<readonly (NextDue | null)[]> {
  const times = await timesOfProjects(trx, [...new Set(timers.map(({ projectId }) => projectId))])
  return timers.map(({ timerId, projectId, schedule }) =>
    orElse(null, () => nextOf(schedule, times.get(projectId) as ProjectTime, now), timerId, failed),
  )
}

type Failed = (error: unknown, timerId: number) => void

/** One timer that cannot be read keeps no other from being claimed, and itself from no trip. */
function orElse<T, U>(otherwise: U, made: () => T, timerId: number, failed: Failed): T | U {
  try {
    return made()
  } catch (error) {
    failed(error, timerId)
    return otherwise
  }
}

interface Circumstances {
  readonly failed: Failed
  readonly time: ProjectTime
  readonly facts: ClaimFacts
  readonly wanting: (lineId: number) => readonly StoredTimer[]
}

/** So many instants of one timer a claim at most: what is left of a long outage follows with the next. */
const lateAtOnce = 500

/**
 * What becomes of a timer now. Instants that came too late for whatever they are end all at once, so that a trip that may still be done does
 * not wait behind them.
 */
function decide(timer: StoredTimer, first: DuePoint, circumstances: Circumstances): Decision {
  const { facts } = circumstances
  const late: NewExecution[] = []
  const unreadable: NewExecution[] = []
  for (let point = first; ; ) {
    const decision = decideOne(timer, point, circumstances)
    const due = nextAfter(timer, point, circumstances, () => unreadable.push(unreadableRun(timer, point, circumstances)))
    const { ended, execution, operation } = decision
    const isLast =
      operation !== null || decision.scene !== null || due === null || due.at > facts.claimedAt || late.length >= lateAtOnce
    if (isLast) {
      const next = { timeZone: circumstances.time.timeZone, due }
      return { ...decision, ended: [...late, ...ended, ...unreadable], next }
    }
    late.push(...ended, execution)
    const merged = due.merged.map(({ pointNo }) => pointNo)
    point = { pointNo: due.pointNo, dueAt: due.at, action: due.action, skip: due.skip, merged, changedAt: null }
  }
}

/** Of a schedule that was saved since, nothing before it was. */
function nextAfter(
  timer: StoredTimer,
  { dueAt, changedAt }: DuePoint,
  { time, failed }: Circumstances,
  isUnreadable: () => void,
): Occurrence | null {
  if (!timer.enabled) return null
  const after = Math.max(dueAt, changedAt ?? dueAt)
  const noted = (error: unknown, timerId: number) => {
    failed(error, timerId)
    isUnreadable()
  }
  return orElse(null, () => nextOf(timer.schedule, time, after).due, timer.timerId, noted)
}

/** People read in its log that nothing follows, and why; never in the place of what was due. */
const unreadableRun = (timer: StoredTimer, point: DuePoint, { time, facts }: Circumstances): NewExecution =>
  executionOf(
    timer,
    { ...point, dueAt: Math.max(facts.claimedAt, point.dueAt + 1) },
    time,
    facts,
    point.pointNo,
    'missed',
    'unreadable',
  )

function decideOne(timer: StoredTimer, point: DuePoint, { time, facts, wanting, failed }: Circumstances): Omit<Decision, 'next'> {
  const { action, dueAt, changedAt, pointNo, skip, merged } = point
  const { schedule } = timer
  const of = (no: number, state: RunState, why: string | null) => executionOf(timer, point, time, facts, no, state, why)
  const also = merged.map((no) => of(no, 'merged', null))
  const ended = (state: RunState, why: string | null) => ({
    ...{ execution: of(pointNo, state, why), operation: null, scene: null, ended: also, timer },
  })
  const skipped = runSkip({
    ...{ enabled: timer.enabled, changed: action !== 'trip' && changedAt !== null, skip },
    ...{ skipNext: schedule.skipNext, merged: false, dueAt },
  })
  if (skipped !== null) return ended('skipped', skipped)
  if (action === 'run') {
    const { scene } = timer
    if (!scene) return ended('refused', 'sceneMissing')
    if (!scene.enabled) return ended('skipped', 'sceneDisabled')
    const late = missedWhy('run', dueAt, facts)
    // Of a scene the trips may still come when the closes may not.
    const missed = scene.items.some((item) => item.action === 'trip') ? missedWhy('trip', dueAt, facts) : late
    if (missed !== null) return ended('missed', missed)
    const execution = of(pointNo, 'running', null)
    const fate = (_: number, does: SceneAction) => (late !== null && does === 'close' ? tooLate() : waiting)
    return { execution, operation: null, scene: sceneOfRun(execution, scene, fate), ended: also, timer }
  }
  const missed = missedWhy(action, dueAt, facts)
  if (missed !== null) return ended('missed', missed)
  const executionId = executionIdOf(timer.timerId, pointNo, dueAt)
  const lines = timer.lineIds.map((lineId): NewOperation['lines'][number] => {
    const commandId = namedUuid(executionId, lineId, action)
    const wants =
      action === 'trip' && timer.keepWhileWanted
        ? wanting(lineId).find((other) =>
            orElse(false, () => stillWanted(timer.timerId, [wantingTimer(other)], time, dueAt) !== null, other.timerId, failed),
          )
        : null
    if (!wants) return { lineId, commandId, state: 'waiting', refusal: null }
    const refusal: GroupLineRefusal = { key: 'stillWanted', text: skipTexts.stillWanted(wants.name) }
    return { lineId, commandId, state: 'skipped', refusal }
  })
  const operation = { operationId: namedUuid(executionId, action), action: actions[action], staggerMs: minStaggerMs, lines }
  const isLeft = lines.some(({ state }) => state === 'waiting')
  const execution = isLeft ? of(pointNo, 'running', null) : of(pointNo, runEnd(lines.map(({ state }) => state)), 'stillWanted')
  return { execution, operation, scene: null, ended: also, timer }
}

const executionOf = (
  timer: StoredTimer,
  { action, dueAt }: DuePoint,
  time: ProjectTime,
  { claimedAt }: ClaimFacts,
  pointNo: number,
  state: RunState,
  why: string | null,
): NewExecution => ({
  ...{ executionId: executionIdOf(timer.timerId, pointNo, dueAt), source: 'timer', sourceId: timer.timerId },
  ...{ projectId: timer.projectId, name: timer.name, pointNo, dueAt, state, why },
  ...{ accountId: timer.ownerId, actor: timer.ownerName },
  trace: {
    ...{ action, timeZone: time.timeZone, lateMs: claimedAt - dueAt, version: timer.version, ...dayOf(time, dueAt) },
    ...(timer.scene && { scene: timer.scene.name }),
  },
})

/** What kind of day it was then: the calendar may say otherwise by the time that somebody asks. */
function dayOf(time: ProjectTime, dueAt: number) {
  const { date, classOfDay } = dateSeen(time, dueAt)
  return { date, class: classOfDay.class, className: classOfDay.name }
}

const executionIdOf = (timerId: number, pointNo: number, dueAt: number): string => namedUuid('timer', timerId, pointNo, dueAt)

const wantingTimer = ({ timerId, name, enabled, schedule }: StoredTimer): WantingTimer => ({ timerId, name, enabled, schedule })
