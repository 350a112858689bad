import { minuteMs } from '@linewarden/equipment'
import { budgetNotices } from '@linewarden/rules/energy'
import { Loop } from '../../lib/every.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import { activeFaults } from '../../store/automation/timer-check.ts'
import { everyBudget, noteNotices, projectsOverBudget, takeNotices } from '../../store/energy/budget.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import { alarmCatalogue } from '../alarm/alarm-catalogue.ts'
import type { Background, Core } from '../server-area.ts'
import { createBudgetCourses } from './budget-course.ts'
import type { Reader } from './scope.ts'

const budgetKey = 'energy.budget'

type Deps = Pick<Core, 'database' | 'plant' | 'ingest' | 'clock'>

/** Whoever looks for all. */
const platform: Reader = {
  sees: () => true,
  seesPart: () => true,
  seesGateway: () => true,
  scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null },
}

/** What is told of budgets: each threshold once in a period, as a warning of the project that returns when no period with one runs any more. */
export function createBudgetNotices({ database, plant, ingest, clock }: Deps) {
  const courseOf = createBudgetCourses({ database, plant, clock })
  return {
    /** Looks through all budgets, one after the other. */
    async look(): Promise<void> {
      for (const row of await everyBudget(database.general)) {
        const project = plant.projects.get(row.project_id)
        if (!project) continue
        const { period, today, course } = await courseOf(platform, project, row, null, database)
        const reached = budgetNotices(period, today, { amount: Number(row.amount), thresholds: row.thresholds }, course)
        const of = { budgetId: row.budget_id, version: row.version, first: period.first, at: clock() }
        await noteNotices(database, of, reached.map(String))
      }
    },

    /** Tells what nobody has told yet. */
    async notify(): Promise<void> {
      const active = await activeFaults(database, budgetKey)
      for (const projectId of await takeNotices(database, clock())) {
        const gateway = gatewayOf(projectId, active.get(projectId))
        // One that is told already is told anew: something else has been reached.
        if (gateway && active.has(projectId)) note('return', gateway)
        if (gateway) note('raise', gateway)
      }
      const over = await projectsOverBudget(database, clock())
      for (const [projectId, gatewayId] of active) {
        const gateway = over.has(projectId) ? undefined : gatewayOf(projectId, gatewayId)
        if (gateway) note('return', gateway)
      }
    },
  }

  /** Whoever sees this gateway is shown it. */
  function gatewayOf(projectId: number, gatewayId: number | undefined): PlantGateway | undefined {
    const own = [...plant.gateways.values()].filter(({ project }) => project.id === projectId)
    return own.find(({ id }) => id === gatewayId) ?? own[0]
  }

  function note(act: EventDraft['act'], gateway: PlantGateway): void {
    const known = alarmCatalogue().get(budgetKey)
    if (!known) throw new Error(`${budgetKey} is no alarm`)
    const { kind, priority, key, label } = known
    ingest.note({
      ...{ act, kind, priority, key, label, gateway, at: clock(), historical: false },
      ...{ point: null, value: null, limit: null, unit: '', line: null },
    })
  }
}

/** Budgets are looked through each quarter of an hour, and what that found, by whichever server, is told within a minute. */
export function startBudgetNotices(core: Pick<Core, 'database' | 'plant' | 'ingest' | 'clock' | 'log'>): Background {
  const notices = createBudgetNotices(core)
  const { log } = core
  const looking = new Loop(15 * minuteMs, () => notices.look(), {
    log,
    failed: 'budgets could not be looked through; it is tried again',
    unref: true,
  }).start()
  const telling = new Loop(minuteMs, () => notices.notify(), {
    log,
    failed: 'notices of budgets could not be told; it is tried again',
    unref: true,
  }).start()
  return {
    done: Promise.resolve(),
    close: async () => {
      await Promise.all([looking.close(), telling.close()])
    },
  }
}
