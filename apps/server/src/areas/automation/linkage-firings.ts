import type { Text } from '@linewarden/equipment'
import type { Firing } from '@linewarden/rules/automation'
import {
  chainOfChange,
  civilZone,
  decideFiring,
  isActiveAt,
  maxClosesPerHour,
  maxLateMs,
  mayCloseAgain,
} from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { DueAction } from '../../store/automation/linkage-due.ts'
import { claimDueActions, insertDueActions } from '../../store/automation/linkage-due.ts'
import type { LinkageOperation, NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { causesOf, closesOf, firedAt, insertLinkageRun, lockCloses } from '../../store/automation/linkage-run.ts'
import type { HaltedWhy } from '../../store/automation/linkage-schema.ts'
import type { KeptLinkage } from '../../store/automation/linkage-state.ts'
import { haltLinkage, isInForce, noteNear, noteRaised, takeRise } from '../../store/automation/linkage-state.ts'
import { sceneById } from '../../store/automation/scene.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { AutomationDeps } from './deps.ts'
import { sourceOf } from './linkage-draft.ts'
import { traceOf } from './linkage-trace.ts'
import type { LinkageView } from './linkage-view.ts'

/** What came of a firing. `elsewhere`: another server took it, or it is not in force any more. */
export interface Fired {
  readonly is: 'acted' | 'near' | 'halted' | 'elsewhere'
  /** As they are stored by now; null: not known here. */
  readonly rises: number | null
  readonly claim: Claim | null
  readonly run: NewLinkageRun | null
  /** Lines on which an alarm is raised now. */
  readonly raises: readonly number[]
  readonly haltedWhy: HaltedWhy | null
}

export interface Rise {
  readonly linkage: StoredLinkage
  readonly kept: KeptLinkage
  readonly firing: Firing
  readonly view: LinkageView
}

const nothing: Fired = { is: 'near', rises: null, claim: null, run: null, raises: [], haltedWhy: null }
/** So long a delayed action is left to the server that evaluates its linkage. */
const graceMs = 1_500

const tooOften: Text = {
  zh: `该线路一小时内自动合闸已达 ${maxClosesPerHour} 次，未合闸`,
  en: `Automation has closed this line ${maxClosesPerHour} times within an hour: it is not closed again`,
}
const mayNotClose: Text = { zh: '联动不允许合闸', en: 'The linkage may not close lines' }

/** Decides what becomes of a rise, on what is stored at this moment, and stores it: one transaction, once, whichever server saw it first. */
export function createLinkageFirings({ database, plant, runner, dueClock, clock }: AutomationDeps) {
  return { fire, due }

  function fire({ linkage, kept, firing, view }: Rise): Promise<Fired> {
    return database.control.transaction().execute(async (trx): Promise<Fired> => {
      const { at } = firing
      if (!(await isInForce(trx, linkage))) return { ...nothing, is: 'elsewhere' }
      const rises = await takeRise(trx, kept, at, clock())
      if (rises === null) return { ...nothing, is: 'elsewhere' }
      const near = async (why: string): Promise<Fired> => {
        await noteNear(trx, linkage, why, at, traceOf(linkage, view, at, false))
        return { ...nothing, rises }
      }
      if (firing.late) return near('late')
      const zone = plant.projects.get(linkage.projectId)?.timeZone ?? 'UTC'
      if (!isActiveAt(linkage.activeHours, civilZone(zone), at)) return near('outsideHours')
      const chain = await chainOf(trx, linkage, view, at)
      const limits = { cooldownS: linkage.cooldownS, maxPerHour: linkage.maxPerHour, maxPerDay: linkage.maxPerDay }
      const had = await firedAt(trx, linkage.linkageId, at)
      const decision = decideFiring(linkage.linkageId, limits, had, chain.linkageIds, isDanger(linkage, view), at)
      if (decision.do === 'suppress') return near(decision.why)
      if (decision.do === 'halt') {
        await haltLinkage(trx, linkage.linkageId, decision.why, clock())
        return { ...(await near(decision.why)), is: 'halted', haltedWhy: decision.why }
      }
      const executionId = namedUuid('linkage', linkage.linkageId, rises)
      const trace = traceOf(linkage, view, at, linkage.mode === 'live')
      const head = { executionId, at, cause: chain.runs, parentId: null, trace }
      if (linkage.mode === 'shadow') {
        const run: NewLinkageRun = { ...head, state: 'skipped', why: 'shadow', operations: [] }
        await insertLinkageRun(trx, linkage, run, runner.holder)
        return { ...nothing, is: 'acted', rises, run }
      }
      const now = linkage.actions.filter(({ delayS }) => delayS === 0)
      const parts = await partsOf(trx, linkage, executionId, now, at, firing.mayClose)
      const run = runOf(head, parts)
      const claim = await insertLinkageRun(trx, linkage, run, runner.holder)
      await noteRaised(trx, linkage.linkageId, parts.raises, executionId, at)
      await insertDueActions(trx, linkage.linkageId, dueOf(linkage, executionId, at, firing.mayClose))
      if (parts.isTooOften) await haltLinkage(trx, linkage.linkageId, 'closesPerHour', clock())
      const haltedWhy = parts.isTooOften ? 'closesPerHour' : null
      return { is: haltedWhy ? 'halted' : 'acted', rises, claim, run, raises: parts.raises, haltedWhy }
    })
  }

  /** What is due of firings before. `isTrue`: whether the conditions of a linkage are known to be true now. */
  async function due(linkageIds: readonly number[], isTrue: (linkageId: number) => boolean) {
    const raised: { readonly linkage: StoredLinkage; readonly lineIds: readonly number[] }[] = []
    const decided = await claimDueActions(database, {
      ...{ clock: dueClock, holder: runner.holder, linkageIds, graceMs },
      async decide(trx, linkage, each, now) {
        const { action, executionId, dueAt } = each
        const at = now
        const trace = { ...traceOf(linkage, { conditions: [], truth: 'unknown', blind: [] }, dueAt, true), conditions: [] }
        const head = { executionId, at, cause: [], parentId: each.parentId, trace }
        const ended = (state: 'skipped' | 'missed', why: string): NewLinkageRun => ({ ...head, state, why, operations: [] })
        if (linkage.removed || !linkage.enabled) return ended('skipped', 'disabledMeanwhile')
        const parts = await partsOf(trx, linkage, executionId, [{ ...action, delayS: 0 }], at, true)
        const hasCloses = parts.operations.some((operation) => operation.action === 'close')
        const isLate = now - dueAt > (hasCloses ? maxLateMs.close : maxLateMs.trip)
        if (action.kind === 'close' && isLate) return ended('missed', 'late')
        if (!hasCloses && isLate) return ended('missed', 'late')
        const mayClose = !isLate && linkage.version === each.version && linkage.halted === null && isTrue(linkage.linkageId)
        if (action.kind === 'close' && !mayClose) return ended('skipped', 'conditionOver')
        if (parts.raises.length > 0) raised.push({ linkage, lineIds: parts.raises })
        await noteRaised(trx, linkage.linkageId, parts.raises, executionId, at)
        if (parts.isTooOften) await haltLinkage(trx, linkage.linkageId, 'closesPerHour', clock())
        const operations = mayClose ? parts.operations : parts.operations.filter((operation) => operation.action === 'trip')
        return runOf(head, { ...parts, operations })
      },
    })
    return { decided, raised }
  }

  /** The runs that the present change of these lines is a consequence of. */
  async function chainOf(trx: Kysely<Schema>, { conditions }: StoredLinkage, view: LinkageView, at: number) {
    const lineIds = conditions.flatMap(({ lineId }, index) => (view.conditions[index]?.truth === true ? lineId : []))
    const causes = await causesOf(trx, lineIds, at)
    const runs = chainOfChange(
      causes.map((cause, index) => ({ at: cause.at, chain: [index] })),
      at,
    )
    const cause = causes[runs[0] ?? -1]
    return { runs: cause?.runs ?? [], linkageIds: cause?.linkageIds ?? [] }
  }

  /** What is operated and raised, its scenes resolved to their lines; trips before closes, closes in the order of their scene. */
  async function partsOf(
    trx: Kysely<Schema>,
    linkage: StoredLinkage,
    executionId: string,
    actions: readonly StoredAction[],
    at: number,
    mayClose: boolean,
  ) {
    const trips = new Set<number>()
    const closes = new Set<number>()
    for (const { kind, lineId, sceneId } of actions) {
      if (lineId !== null && kind === 'trip') trips.add(lineId)
      if (lineId !== null && kind === 'close') closes.add(lineId)
      const scene = sceneId === null ? null : await sceneById(trx, sceneId)
      if (scene?.enabled) for (const item of scene.items) (item.action === 'trip' ? trips : closes).add(item.lineId)
    }
    // Of one line that is to be tripped and closed the trip counts.
    const wanted = mayClose ? [...closes].filter((lineId) => !trips.has(lineId)) : []
    if (wanted.length > 0) await lockCloses(trx, linkage.projectId)
    const had = wanted.length > 0 ? await closesOf(trx, wanted, at) : new Map<number, readonly number[]>()
    const often = wanted.filter((lineId) => !mayCloseAgain(had.get(lineId) ?? [], at))
    const isBarred = !linkage.mayClose || isDangerous(linkage)
    const lineOf = (lineId: number, action: 'trip' | 'close'): LinkageOperation['lines'][number] => {
      const isRefused = action === 'close' && (isBarred || often.includes(lineId))
      const refusal = isBarred ? { key: 'linkage may not close', text: mayNotClose } : { key: 'closesPerHour', text: tooOften }
      const commandId = namedUuid(executionId, lineId, action)
      return { lineId, commandId, state: isRefused ? 'refused' : 'waiting', refusal: isRefused ? refusal : null }
    }
    const operations = (
      [
        ['trip', [...trips]],
        ['close', wanted],
      ] as const
    ).flatMap(([action, lineIds]): LinkageOperation[] =>
      lineIds.length === 0
        ? []
        : [{ operationId: namedUuid(executionId, action), action, lines: lineIds.map((lineId) => lineOf(lineId, action)) }],
    )
    const raises = actions.flatMap(({ kind, lineId }) => (kind === 'raise' && lineId !== null ? lineId : []))
    return { operations, raises, isTooOften: !isBarred && often.length > 0 }
  }

  /** Whether one of its conditions reads fire, gas, arc or leakage. */
  function isDangerous(linkage: StoredLinkage): boolean {
    return linkage.conditions.some((condition) => {
      const line = plant.lines.get(condition.lineId)
      return !line || (sourceOf(line, condition)?.isDanger ?? true)
    })
  }

  /** A trip for a danger that is there now: no limit holds it up. */
  function isDanger({ conditions, actions }: StoredLinkage, view: LinkageView): boolean {
    const trips = actions.some(({ kind }) => kind === 'trip' || kind === 'scene')
    return (
      trips &&
      conditions.some((condition, index) => {
        const line = plant.lines.get(condition.lineId)
        return view.conditions[index]?.truth === true && line !== undefined && (sourceOf(line, condition)?.isDanger ?? false)
      })
    )
  }
}

type Head = Pick<NewLinkageRun, 'executionId' | 'at' | 'cause' | 'parentId' | 'trace'>

function runOf(head: Head, { operations }: { readonly operations: readonly LinkageOperation[] }): NewLinkageRun {
  const lines = operations.flatMap((operation) => operation.lines)
  if (lines.some(({ state }) => state === 'waiting')) return { ...head, state: 'running', why: null, operations }
  if (lines.length > 0) return { ...head, state: 'refused', why: lines[0]?.refusal?.key ?? null, operations }
  return { ...head, state: 'done', why: null, operations }
}

/** What a rise that nobody observed would close later is not closed. */
const dueOf = ({ actions, version }: StoredLinkage, executionId: string, at: number, mayClose: boolean): readonly DueAction[] =>
  actions.flatMap(({ kind, lineId, sceneId, delayS }, position): DueAction[] =>
    delayS === 0 || (kind === 'close' && !mayClose)
      ? []
      : [
          {
            ...{ executionId: namedUuid(executionId, 'later', position), parentId: executionId, version, position },
            ...{ action: { kind, lineId, sceneId }, dueAt: at + delayS * 1_000 },
          },
        ],
  )
