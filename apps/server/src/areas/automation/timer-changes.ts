import type {
  deleteTimer,
  insertTimer,
  Request,
  skipTimer,
  switchTimer,
  Timer,
  TimerForm,
  takeTimer,
  updateTimer,
} from '@linewarden/contract'
import { Refusal, timerActOperation, timerOperation } from '@linewarden/contract'
import type { ProjectTime } from '@linewarden/rules/automation'
import { maxOverrideMs, maxProjectTimers, nextDue } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { DueBy } from '../../store/automation/due.ts'
import type { StoredTimer, TimerValues } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import * as write from '../../store/automation/timer-write.ts'
import type { AutomationDeps } from './deps.ts'
import { dueReading } from './due-reading.ts'
import { refuseProblems } from './problem-texts.ts'
import { nextOf, timeOfProject } from './project-time.ts'
import { conflictsOf, refuseConflicts } from './timer-conflicts.ts'
import type { TimerRead } from './timer-form.ts'
import { problemsOf, readWithScenes, scheduleOf } from './timer-form.ts'
import type { TimerList } from './timer-list.ts'
import { refuseUnlessSwitching } from './timer-list.ts'

/** Who saves what of timers. A timer fires with the rights that its last editor has at that moment. */
export class TimerChanges {
  readonly #deps: AutomationDeps
  readonly #list: TimerList

  constructor(deps: AutomationDeps, list: TimerList) {
    this.#deps = deps
    this.#list = list
  }

  async insert(actor: Actor, project: PlantProject, body: Request<typeof insertTimer>['body']): Promise<Timer> {
    const { database, control, clock } = this.#deps
    const read = await readWithScenes(this.#deps, actor, project, body)
    const { values, time } = await this.#decided(actor, project, read, body, null)
    await control.redeemGrant(actor, body.Grant ?? null, timerOperation({ TimerID: null, ...body }))
    const now = clock()
    const due = this.#dueBy(values, time)
    const audit = { ...by(actor, now, 'timer.add', project.ownerId), after: this.#auditOf(values, body.ConflictReason) }
    return this.#list.record(
      actor,
      await this.#saved(await write.insertTimer(database, project.id, values, due, audit), body.Name),
    )
  }

  async update(actor: Actor, body: Request<typeof updateTimer>['body']): Promise<Timer> {
    const { timer, project } = await this.#list.toChange(actor, body.TimerID)
    const read = await readWithScenes(this.#deps, actor, project, body)
    const { values, time } = await this.#decided(actor, project, read, body, timer)
    const change = { values, time, version: body.Version, action: 'timer.edit' } as const
    return this.#save(actor, timer, project, change, { ...body, operation: timerOperation(body) })
  }

  async remove(actor: Actor, { TimerID, Version }: Request<typeof deleteTimer>['body']): Promise<null> {
    const { database, clock, dueClock } = this.#deps
    const { timer, project } = await this.#list.toChange(actor, TimerID)
    const audit = { ...by(actor, clock(), 'timer.delete', project.ownerId), before: this.#auditOf(timer, undefined) }
    await this.#saved(
      await write.removeTimer(database, { timerId: timer.timerId, version: Version }, dueClock, audit),
      timer.name,
    )
    return null
  }

  async turn(actor: Actor, body: Request<typeof switchTimer>['body']): Promise<Timer> {
    const { database } = this.#deps
    const { timer, project } = await this.#list.toChange(actor, body.TimerID)
    const time = await timeOfProject(database.general, project)
    const values = { ...timer, ...(body.Enabled && ownedBy(actor)), enabled: body.Enabled }
    if (body.Enabled && values.schedule.period.type === 'once' && !nextDue(values.schedule, time, this.#deps.clock()))
      throw new Refusal('timer past')
    if (body.Enabled && timer.sceneId !== null && !timer.scene?.enabled)
      throw new Refusal(timer.scene ? 'scene disabled' : 'scene not exists')
    if (body.Enabled && values.schedule.period.type === 'sun' && !time.position) throw new Refusal('position missing')
    if (body.Enabled) await this.#refuseIfConflicting(project, values, timer.timerId, time, body.ConflictReason)
    const action = body.Enabled ? 'timer.enable' : 'timer.disable'
    const proof = body.Enabled ? { ...body, operation: timerActOperation('enable', body) } : null
    return this.#save(actor, timer, project, { values, time, version: body.Version, action }, proof)
  }

  async skip(actor: Actor, body: Request<typeof skipTimer>['body']): Promise<Timer> {
    const { database, clock } = this.#deps
    const { timer, project } = await this.#list.toChange(actor, body.TimerID)
    const now = clock()
    const { schedule } = timer
    const until = Math.max(body.Until ?? now, now)
    const time = await timeOfProject(database.general, project)
    const next = nextDue({ ...schedule, skipNext: null }, time, now)?.at ?? now
    if (until > Math.max(now + maxOverrideMs, next)) throw new Refusal('skip end wrong')
    // What was left out fires again: by the rights, and the control password, of whoever says so.
    const firesMore = schedule.skipNext !== null && until < schedule.skipNext.until
    const skipNext = until === now ? null : { since: now, until }
    const values = { ...timer, ...(firesMore && ownedBy(actor)), schedule: { ...schedule, skipNext } }
    const change = { values, time, version: body.Version, action: 'timer.skip' } as const
    const proof = firesMore ? { ...body, operation: timerActOperation('skip', body) } : null
    return this.#save(actor, timer, project, change, proof)
  }

  async take(actor: Actor, body: Request<typeof takeTimer>['body']): Promise<Timer> {
    const { database } = this.#deps
    const { timer, project } = await this.#list.toChange(actor, body.TimerID)
    const time = await timeOfProject(database.general, project)
    const values = { ...timer, ...ownedBy(actor) }
    const change = { values, time, version: body.Version, action: 'timer.owner' } as const
    return this.#save(actor, timer, project, change, { ...body, operation: timerActOperation('owner', body) })
  }

  /** One of several whose grant was redeemed for all. */
  async own(actor: Actor, { timer, project }: Awaited<ReturnType<TimerList['toChange']>>): Promise<void> {
    const time = await timeOfProject(this.#deps.database.general, project)
    const values = { ...timer, ...ownedBy(actor) }
    await this.#save(actor, timer, project, { values, time, version: timer.version, action: 'timer.owner' }, null)
  }

  /** A form that may be saved as this timer; everything that is wrong is refused at once, then what it conflicts with. */
  async #decided(
    actor: Actor,
    project: PlantProject,
    read: TimerRead,
    form: TimerForm & { readonly ConflictReason?: string },
    timer: StoredTimer | null,
  ): Promise<{ values: TimerValues; time: ProjectTime }> {
    const { database, clock } = this.#deps
    refuseUnlessSwitching(actor)
    const time = await timeOfProject(database.general, project)
    const others = await timersWhere(database.general, { projectIds: [project.id] })
    // Of one that changes, its own place is counted already; a full project is named by the store as well.
    refuseProblems(problemsOf(read, time, timer ? Math.min(others.length - 1, maxProjectTimers - 1) : others.length, clock()))
    const { draft, lines, scene } = read
    if (draft.function === null) throw new Refusal('invalid parameter')
    const values: TimerValues = {
      name: draft.name.trim(),
      function: draft.function,
      schedule: scheduleOf(draft, timer?.schedule.skipNext ?? null),
      ...{ sceneId: scene?.sceneId ?? null, scene },
      keepWhileWanted: form.KeepWhileWanted,
      enabled: form.Enabled,
      ...ownedBy(actor),
      lineIds: lines.map(({ id }) => id),
    }
    if (values.enabled) await this.#refuseIfConflicting(project, values, timer?.timerId ?? 0, time, form.ConflictReason)
    return { values, time }
  }

  async #refuseIfConflicting(
    project: PlantProject,
    values: Pick<TimerValues, 'name' | 'schedule' | 'lineIds' | 'scene'>,
    timerId: number,
    time: ProjectTime,
    reason: string | undefined,
  ): Promise<void> {
    const { database, plant, clock } = this.#deps
    const others = await timersWhere(database.general, { projectIds: [project.id] })
    const draft = { ...values, scene: values.scene ?? null, timerId }
    refuseConflicts(plant, await conflictsOf(this.#deps, project, draft, others, time, clock(), dueReading()), reason)
  }

  /** `proof`: of a change by which it fires with the rights of whoever makes it; null: it only fires less. */
  async #save(
    actor: Actor,
    timer: StoredTimer,
    project: PlantProject,
    change: {
      readonly values: TimerValues
      readonly time: ProjectTime
      readonly version: number
      readonly action: 'timer.edit' | 'timer.enable' | 'timer.disable' | 'timer.skip' | 'timer.owner'
    },
    proof: { readonly Grant?: string; readonly operation: string; readonly ConflictReason?: string } | null,
  ): Promise<Timer> {
    const { database, control, clock } = this.#deps
    const { values, time, version, action } = change
    if (version !== timer.version) throw new Refusal('changed meanwhile')
    if (proof) await control.redeemGrant(actor, proof.Grant ?? null, proof.operation)
    const now = clock()
    const due = this.#dueBy(values, time)
    const audit = {
      ...by(actor, now, action, project.ownerId),
      ...{ before: this.#auditOf(timer, undefined), after: this.#auditOf(values, proof?.ConflictReason) },
    }
    const place = { timerId: timer.timerId, projectId: timer.projectId, version }
    return this.#list.record(actor, await this.#saved(await write.updateTimer(database, place, values, due, audit), values.name))
  }

  /** By the clock that decides what is due, however far this server's own is from it. */
  #dueBy({ enabled, schedule }: TimerValues, time: ProjectTime): DueBy {
    const next = (after: number) => (enabled ? nextOf(schedule, time, after) : { timeZone: time.timeZone, due: null })
    return { clock: this.#deps.dueClock, next }
  }

  async #saved(outcome: write.TimerSaved, name: string): Promise<StoredTimer> {
    const { database } = this.#deps
    if (outcome === 'exists') throw new Refusal('timer exists', { name })
    if (outcome === 'changed' || outcome === 'scene changed') throw new Refusal('changed meanwhile')
    if (outcome === 'moved') throw new Refusal('line not in project')
    if (outcome === 'full')
      refuseProblems([{ key: 'too many', field: 'HouseID', detail: { what: 'timers', most: maxProjectTimers } }])
    const timerId = typeof outcome === 'object' ? outcome.timerId : 0
    const [timer] = await timersWhere(database.general, { timerIds: [timerId] })
    return timer ?? ({ timerId } as StoredTimer)
  }

  #auditOf(
    { name, function: purpose, schedule, lineIds, scene, enabled, keepWhileWanted }: TimerValues,
    reason: string | undefined,
  ) {
    const { plant } = this.#deps
    const { period, points, exceptions, skipNext } = schedule
    return {
      ...{ name, function: purpose, period, points, exceptions, skipNext, enabled, keepWhileWanted },
      ...(scene && { scene: scene.name }),
      lines: lineIds.map((id) => {
        const line = plant.lines.get(id)
        return line ? `${line.device.controllerId}/${line.lineNo}` : `line ${id}`
      }),
      ...(reason && { reason }),
    }
  }
}

const ownedBy = ({ accountId, userName }: Actor) => ({ ownerId: accountId, ownerName: userName })
