import type { acceptHazard as acceptHazardCall, getHazard, Hazard, queryHazards, Reply, Request } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { dayMs, priorities } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { maxRiskDays } from '@linewarden/rules/hazard'
import { instantOf } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { eventsById } from '../../store/alarm/change.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { acceptHazard } from '../../store/hazard/keep.ts'
import type { HazardCursor, HazardStepRow } from '../../store/hazard/list.ts'
import { countHazards, hazardSources, hazardSteps, listHazards, shownHazards } from '../../store/hazard/list.ts'
import { timeOfProject } from '../automation/project-time.ts'
import type { HazardDeps } from './deps.ts'
import type { HazardAccess } from './hazard-access.ts'
import { acceptRefusal } from './hazard-access.ts'
import { hazardFilterOf } from './hazard-filter.ts'

const maxSources = 100
const maxSteps = 200

/** Lists of hazards, one of them, and accepting one until a day. */
export function createHazardList(deps: HazardDeps, access: HazardAccess) {
  const { database, plant, clock } = deps
  return {
    async query(
      actor: Actor,
      project: PlantProject | null,
      body: Request<typeof queryHazards>['body'],
    ): Promise<Reply<typeof queryHazards>> {
      const { Size = 50, Before } = body
      const filter = hazardFilterOf(plant, actor, project, body)
      const { ids, counts } = await withRowSecurity(database, actor.scope, async (db) => ({
        ids: await listHazards(db, filter, { before: cursorOf(Before), size: Size }),
        counts: await countHazards(db, filter),
      }))
      const rows = await shownHazards(database.general, ids.slice(0, Size))
      const last = rows.at(-1)
      return {
        items: rows.filter((row) => access.sees(actor, row)).map((row) => access.record(row, actor)),
        total: counts.total,
        about: {
          Next: ids.length > Size && last ? `${priorities.indexOf(last.level) + 1}.${last.hazard_id}` : null,
          ...{ States: counts.states, Levels: counts.levels },
        },
      }
    },

    async get(actor: Actor, hazardId: number): Promise<Reply<typeof getHazard>> {
      await access.seen(actor, hazardId)
      const db = database.general
      const [sources, steps] = [await hazardSources(db, hazardId, maxSources), await hazardSteps(db, hazardId, maxSteps)]
      const events = sources.filter(({ source }) => source === 'alarm' || source === 'finding').slice(0, 10)
      const kept = await eventsById(
        database,
        events.map(({ source_id }) => source_id),
      )
      return {
        Hazard: await record(actor, hazardId),
        Sources: sources.map(({ source, source_id, at, level }) => ({
          ...{ Source: source, SourceID: source_id, At: at.getTime(), Level: level },
        })),
        Events: kept.toSorted((a, b) => Number(b.event_id) - Number(a.event_id)).map((row) => eventRecord(row, plant)),
        Steps: steps.map(stepRecord),
      }
    },

    async accept(actor: Actor, body: Request<typeof acceptHazardCall>['body']): Promise<Hazard> {
      const found = await access.seen(actor, body.HazardID)
      const until = await untilOf(found.project_id, body.UntilDay)
      const [now, reason] = [clock(), body.Reason.trim()]
      const owner = plant.projects.get(found.project_id)?.ownerId ?? null
      const outcome = await acceptHazard(
        database,
        {
          ...{ hazardId: body.HazardID, actId: body.ActID, until, reason, now, actorId: actor.accountId },
          actor: actor.nickName.trim() || actor.userName,
        },
        (row) => {
          const refusal = acceptRefusal(row, actor)
          if (refusal) throw refusal
          if (row.version !== body.Version) throw new Refusal('changed meanwhile')
          return {
            ...by(actor, now, 'hazard.accept', owner),
            ...{ subject: about('hazard', row.hazard_id), target: row.label_zh, after: { until: body.UntilDay, reason } },
          }
        },
      )
      if (outcome === 'gone') throw new Refusal('hazard not exists')
      if (outcome === 'used') throw new Refusal('order act used')
      if (outcome === 'done') access.published(found)
      return record(actor, body.HazardID)
    },
  }

  async function record(actor: Actor, hazardId: number): Promise<Hazard> {
    const [row] = await shownHazards(database.general, [hazardId])
    if (!row || !access.sees(actor, row)) throw new Refusal('hazard not exists')
    return access.record(row, actor)
  }

  /** The end of a day of the project. */
  async function untilOf(projectId: number, day: string): Promise<number> {
    const time = await timeOfProject(database.general, { id: projectId })
    const today = civilZone(time.timeZone).dayAt(clock())
    const asked = Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs)
    const [from, to] = [today, today + maxRiskDays]
    if (!(asked >= from && asked <= to) || dateText(asked) !== day)
      throw new Refusal('hazard day wrong', { from: dateText(from), to: dateText(to) })
    return instantOf(time, asked + 1, 0) ?? (asked + 1) * dayMs
  }
}

function cursorOf(before: string | undefined): HazardCursor | null {
  const [rank, hazardId] = (before ?? '').split('.')
  return rank && hazardId ? { rank: Number(rank), hazardId: Math.min(Number(hazardId), 2_147_483_647) } : null
}

const stepRecord = (row: HazardStepRow) => ({
  ...{ StepID: row.step_id, At: row.at.getTime(), Act: row.act, From: row.from_state, To: row.to_state, Actor: row.actor },
  ...{ Reason: row.reason, Until: row.until?.getTime() ?? null, Source: row.source, OrderNumber: row.order_number },
})
