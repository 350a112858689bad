import type { Firing } from '@linewarden/rules/automation'
import {
  civilZone,
  decideFiring,
  isActiveAt,
  isConsequence,
  maxLateMs,
  mayBeConsequence,
  metBy,
  worstCause,
} from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { namedUuid } from '../../lib/named-uuid.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { appendAudit } from '../../store/audit/append.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { causesOf } from '../../store/automation/linkage-cause.ts'
import type { DueAction } from '../../store/automation/linkage-due.ts'
import { insertDueActions } from '../../store/automation/linkage-due.ts'
import { noteOrders } from '../../store/automation/linkage-order.ts'
import type { NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { insertLinkageRun } from '../../store/automation/linkage-run.ts'
import type { HaltedWhy, LineBefore } from '../../store/automation/linkage-schema.ts'
import type { KeptLinkage, TakenRise } from '../../store/automation/linkage-state.ts'
import { haltLinkage, isInForce, noteNear, noteRaised, takeRise } from '../../store/automation/linkage-state.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { AutomationDeps } from './deps.ts'
import { laterRunId } from './firing-trips.ts'
import { createLinkageLater } from './linkage-later.ts'
import type { CloseBar, RunHead } from './linkage-parts.ts'
import { createLinkageParts, runOf } from './linkage-parts.ts'
import { traceOf } from './linkage-trace.ts'
import type { LinkageView } from './linkage-view.ts'

/** What came of a firing. `elsewhere`: another server took it, or it is not in force any more. */
export interface Fired {
  readonly is: 'acted' | 'near' | 'halted' | 'elsewhere'
  /** As it is stored by now; null: not known here. */
  readonly taken: Pick<TakenRise, 'rises' | 'turn'> | null
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

/** The same for one rise, on every server and after every crash. */
export const linkageRunId = (linkageId: number, rises: number): string => namedUuid('linkage', linkageId, rises)

const nothing: Fired = { is: 'near', taken: null, claim: null, run: null, raises: [], haltedWhy: null }
/** Decides what becomes of a rise, on what is stored at this moment, and stores it: one transaction, once, whichever server saw it first. */
export function createLinkageFirings({ database, plant, ingest, runner, clock }: AutomationDeps) {
  const { partsOf, mayBeDanger, isDanger } = createLinkageParts(plant)
  const { linesBefore } = createLinkageLater({ database, plant, ingest, clock })
  return { fire, run, isDanger }

  function fire({ linkage, kept, firing, view }: Rise): Promise<Fired> {
    return database.control.transaction().execute(async (trx): Promise<Fired> => {
      const { at } = firing
      const isForDanger = isDanger(linkage, firing.truths)
      if (!(await isInForce(trx, linkage, isForDanger))) return { ...nothing, is: 'elsewhere' }
      const taken = await takeRise(trx, kept, { at, metBy: metBy(firing), late: firing.late }, clock())
      if (taken === null) return { ...nothing, is: 'elsewhere' }
      const { firedAt, besideAt } = taken
      const near = async (why: string): Promise<Fired> => {
        await noteNear(trx, [{ linkage, why, at, trace: traceOf(linkage, view, at, false) }])
        return { ...nothing, taken }
      }
      if (firing.late) return near('late')
      const zone = plant.projects.get(linkage.projectId)?.timeZone ?? 'UTC'
      if (!isActiveAt(linkage.activeHours, civilZone(zone), at)) return near('outsideHours')
      const { chain, follows, afterDanger } = await ledTo(trx, linkage, firing)
      // By clocks that differ it may be what another server has acted on a moment later: the cooldown counts from there.
      const moment = Math.max(at, besideAt ?? at)
      const decision = decideFiring(linkage.linkageId, linkage, firedAt, chain?.linkageIds ?? [], isForDanger, moment)
      if (decision.do === 'suppress') return near(decision.why)
      if (decision.do === 'halt') {
        await haltLinkage(trx, linkage.linkageId, decision.why, clock())
        return { ...(await near(decision.why)), is: 'halted', haltedWhy: decision.why }
      }
      const executionId = linkageRunId(linkage.linkageId, taken.rises)
      const trace = traceOf(linkage, view, at, linkage.mode === 'live')
      const head = { executionId, at, cause: chain?.runs ?? [], parentId: null, afterDanger, trace }
      if (linkage.mode === 'shadow') {
        const run: NewLinkageRun = { ...head, state: 'skipped', why: 'shadow', operations: [], scenes: [] }
        await insertLinkageRun(trx, linkage, run, runner.holder)
        return { ...nothing, is: 'acted', taken, run }
      }
      return { ...(await act(trx, linkage, head, barOf(firing, follows, clock()))), taken }
    })
  }

  /**
   * What a person has it do now, as a rise would: the limits of how often it acts are for what nobody asked for, those of its closes are not.
   * `bar`: why it closes nothing, now or later; null: it may.
   */
  function run(
    linkage: StoredLinkage,
    head: Omit<RunHead, 'afterDanger'>,
    bar: 'tripsOnly' | null,
    audit: AuditEntry,
  ): Promise<Fired> {
    return database.control.transaction().execute(async (trx): Promise<Fired> => {
      if (!(await isInForce(trx, linkage, false))) return { ...nothing, is: 'elsewhere' }
      await appendAudit(trx, audit)
      return act(trx, linkage, { ...head, afterDanger: mayBeDanger(linkage) }, bar)
    })
  }

  async function act(trx: Kysely<Schema>, linkage: StoredLinkage, head: RunHead, bar: CloseBar | null): Promise<Fired> {
    const { executionId, at } = head
    const now = linkage.actions.filter(({ delayS }) => delayS === 0)
    const before = await linesBefore(trx, linkage)
    const parts = await partsOf(trx, linkage, executionId, now, at, bar)
    const made = runOf(head, parts)
    const claim = await insertLinkageRun(trx, linkage, made, runner.holder)
    await noteRaised(trx, linkage.linkageId, parts.raises, executionId, at)
    await noteOrders(trx, linkage, parts.orders, executionId, at)
    await insertDueActions(trx, linkage.linkageId, dueOf(linkage, executionId, at, bar === null, before))
    if (parts.isTooOften) await haltLinkage(trx, linkage.linkageId, 'closesPerHour', clock())
    const haltedWhy = parts.isTooOften ? 'closesPerHour' : null
    return { is: haltedWhy ? 'halted' : 'acted', taken: null, claim, run: made, raises: parts.raises, haltedWhy }
  }

  /**
   * The chain of runs that brought this firing about, by the conditions that rose just now. `follows`: a danger, or the linkage itself, may have led
   * to a condition that is true, and so it closes nothing. `afterDanger`: nor does anything that comes of it.
   */
  async function ledTo(trx: Kysely<Schema>, linkage: StoredLinkage, { changes }: Firing) {
    const asked = linkage.conditions.flatMap(({ lineId }, position) => {
      const change = changes[position]
      return change ? { ...change, position, lineId } : []
    })
    const changeOf = new Map(asked.map((each) => [each.position, each]))
    const causes = await causesOf(trx, linkage.projectId, asked)
    const known = causes.filter((each) => {
      const change = changeOf.get(each.position)
      return change?.isNew && isConsequence(each, change)
    })
    const possible = causes.filter((each) => {
      const change = changeOf.get(each.position)
      return change && mayBeConsequence(each, change)
    })
    const isAfterDanger = possible.some((each) => each.afterDanger)
    return {
      chain: worstCause(known, linkage.linkageId),
      follows: isAfterDanger || possible.some(({ linkageIds }) => linkageIds.includes(linkage.linkageId)),
      afterDanger: isAfterDanger || mayBeDanger(linkage),
    }
  }
}

/** A close is done at the rise or not at all, and not after what may have led to it. */
function barOf({ at, mayClose }: Firing, follows: boolean, now: number): CloseBar | null {
  if (follows) return 'follows'
  if (!mayClose) return 'unobserved'
  return now - at > maxLateMs.close ? 'late' : null
}

/** `mayClose`: what it may not close now it may not later either, whatever scene brings it along. */
const dueOf = (
  { actions, version }: StoredLinkage,
  executionId: string,
  at: number,
  mayClose: boolean,
  before: readonly LineBefore[],
): readonly DueAction[] =>
  actions.flatMap(({ kind, lineId, sceneId, delayS, order }, position): DueAction[] =>
    delayS === 0
      ? []
      : [
          {
            ...{ executionId: laterRunId(executionId, position), parentId: executionId, version, position, mayClose },
            ...{ action: { kind, lineId, sceneId, order }, dueAt: at + delayS * 1_000 },
            before: kind === 'close' || kind === 'scene' ? before : null,
          },
        ],
  )
