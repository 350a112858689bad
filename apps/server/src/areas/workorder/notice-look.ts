import type { NoticeWhy, OrderTime, Reminded } from '@linewarden/rules/workorder'
import { dueOverdue, dueReminder, isStillNews } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { DueOrder, DueOutcome, DueRow } from '../../store/workorder/due.ts'
import { daysOf, stateOf } from '../../store/workorder/order.ts'
import { operatorIds } from '../../store/workorder/people.ts'
import { projectTime, timesOfProjects } from '../automation/project-time.ts'
import type { WorkOrderDeps } from './deps.ts'
import { noticeLabel } from './notice-words.ts'
import type { OrderAccess } from './order-access.ts'

/** Of a project that is gone: whatever is due of its orders is over with it. */
const noTime = projectTime({ timeZone: 'UTC', position: null }, [], [])

/** What is due, and for whom: by what they are to the order. */
interface Concern {
  readonly why: NoticeWhy
  readonly to: readonly Reminded[]
}

/** Whom due rows notify, by what one look knows of people and projects: each is read once, and as of this look. */
export function createNoticeLook({ database, plant, actorNow }: WorkOrderDeps, access: OrderAccess) {
  const db = database.general
  const people = new Map<string, Actor | null>()
  const times = new Map<number, OrderTime>()
  let operators: readonly string[] | null = null
  const unknown = { people: new Set<string>(), projects: new Set<number>(), operators: false }
  return { decide, learn }

  /** What becomes of a due row, as its order is now. Null: something is not known yet, and `learn` reads it. */
  function decide(due: DueRow, order: DueOrder, now: number): DueOutcome | null {
    const time = times.get(order.project_id)
    if (!time) {
      unknown.projects.add(order.project_id)
      return null
    }
    const state = stateOf(order)
    if (due.why === 'overdue') {
      const { isDue, next } = dueOverdue(state, daysOf(order), time, now)
      return reminding(order, isDue ? { why: 'overdue', to: ['person'] } : null, next, now)
    }
    if (due.why === 'reminder') {
      const { reminder, next } = dueReminder(state, daysOf(order), time, { dueAt: due.due_at.getTime(), now })
      return reminding(order, reminder, next, now)
    }
    const { why, account_id: to } = due
    const fit = to !== null && isStillNews(why, state, to) ? fitOf([to], order) : []
    return fit && { notices: fit.map((person) => noticeOf(why, order, person)), step: null, nextAt: null }
  }

  function reminding(order: DueOrder, concern: Concern | null, nextAt: number | null, now: number): DueOutcome | null {
    const fit = concern ? peopleOf(concern, order) : []
    if (!concern || !fit || fit.length === 0) return fit && { notices: [], step: null, nextAt }
    return {
      notices: fit.map((person) => noticeOf(concern.why, order, person)),
      step: {
        ...{ at: new Date(now), act: 'remind', from_status: order.status, to_status: order.status },
        person: fit.map(access.nameOf).join('、'),
      },
      nextAt,
    }
  }

  function peopleOf({ to }: Concern, order: DueOrder): readonly Actor[] | null {
    const owner = plant.projects.get(order.project_id)?.ownerId ?? null
    if (to.includes('administrator') && owner === null && operators === null) {
      unknown.operators = true
      return null
    }
    const administrators = owner === null ? (operators ?? []) : [owner]
    const ids = to.flatMap((role) => {
      if (role === 'administrator') return administrators
      return (role === 'person' ? order.person_id : order.founder_id) ?? []
    })
    return fitOf([...new Set(ids)], order)
  }

  /** Those of them that see the place and may open the page. Null: of somebody it is not known yet. */
  function fitOf(ids: readonly string[], order: DueOrder): readonly Actor[] | null {
    const missing = ids.filter((id) => !people.has(id))
    for (const id of missing) unknown.people.add(id)
    if (missing.length > 0) return null
    return ids.map((id) => people.get(id) ?? null).filter((person) => access.canBeInCharge(person, order))
  }

  function noticeOf(why: NoticeWhy, order: DueOrder, { accountId }: Actor) {
    const line = order.line_id === null ? undefined : plant.lines.get(order.line_id)
    return { key: `order.${why}`, forAccount: accountId, label: noticeLabel(why, order, line?.name ?? '') }
  }

  /** Reads what was not known, outside the claim: whoever is asked here may wait for what that has locked. False: all was known. */
  async function learn(): Promise<boolean> {
    const isAny = unknown.people.size + unknown.projects.size > 0 || unknown.operators
    for (const id of unknown.people) people.set(id, await actorNow(id))
    const found = await timesOfProjects(db, [...unknown.projects])
    for (const id of unknown.projects) times.set(id, found.get(id) ?? noTime)
    if (unknown.operators) operators = await operatorIds(db)
    unknown.people.clear()
    unknown.projects.clear()
    unknown.operators = false
    return isAny
  }
}

export type NoticeLook = ReturnType<typeof createNoticeLook>
