import type { insertInspectionPlan, Request } from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import { parseDate } from '@linewarden/rules/automation'
import type { PlanProblem } from '@linewarden/rules/inspection'
import { asksProblems, datesProblems, itemsAsked } from '@linewarden/rules/inspection'
import type { PlantProject } from '../../plant/plant.ts'
import type { PlanColumns } from '../../store/inspection/plan-write.ts'
import type { AssignedPerson, StoredOwnItem, StoredStop } from '../../store/inspection/schema.ts'
import type { InspectionDeps } from './deps.ts'
import { ownItemOf, presentStop, stopOf } from './stops.ts'

/** What of a plan people write. */
export type PlanFields = Omit<Request<typeof insertInspectionPlan>['body'], 'HouseID'>

/** What a round asks, as somebody writes it. */
type AsksBody = Pick<PlanFields, 'Kind' | 'Stops' | 'LeftOut' | 'OwnItems'>

/** Takes what somebody writes of a plan, or of a round without one. */
export function createPlanAsks({ plant }: Pick<InspectionDeps, 'plant'>) {
  return { columnsOf, asked: (project: PlantProject, body: AsksBody) => asked(project, body, []) }

  /** Throws with everything that is wrong with it. */
  function columnsOf(project: PlantProject, body: PlanFields, assignees: readonly AssignedPerson[]): PlanColumns {
    const { Cycle, WindowDays, FirstDue } = body
    const cycle = { every: Cycle.Every, unit: Cycle.Unit }
    const window = { before: WindowDays.Before, after: WindowDays.After }
    const { stops, ownItems } = asked(project, body, datesProblems({ cycle, window, firstDue: FirstDue }))
    return {
      ...{ name: body.Name.trim(), kind: body.Kind, stops: JSON.stringify(stops), left_out: JSON.stringify(body.LeftOut) },
      ...{ own_items: JSON.stringify(ownItems), signature: body.Signature, photo_on: body.PhotoOn },
      ...{ four_eyes: body.FourEyes ?? true, cycle_every: cycle.every, cycle_unit: cycle.unit, counts_from: body.CountsFrom },
      ...{ first_due: parseDate(FirstDue) ?? 0, before_days: window.before, after_days: window.after },
      ...{ assignees: JSON.stringify(assignees), enabled: body.Enabled },
    }
  }

  function asked(
    project: PlantProject,
    { Kind, Stops, LeftOut, OwnItems }: AsksBody,
    others: readonly PlanProblem[],
  ): { readonly stops: readonly StoredStop[]; readonly ownItems: readonly StoredOwnItem[] } {
    const stops = Stops.map((stop) => stopOf(plant, project, stop))
    const ownItems = OwnItems.map(ownItemOf)
    const problems = [
      ...asksProblems({
        ...{ kind: Kind, ownItems },
        stops: stops.map((stop) =>
          stop === null
            ? null
            : stop.kind === 'gateway'
              ? { kind: 'gateway', gatewayId: stop.gatewayId ?? 0 }
              : stop.kind === 'device'
                ? { kind: 'device', controllerId: stop.controllerId ?? '' }
                : { kind: 'place', place: stop.place ?? '' },
        ),
      }),
      ...(Kind === 'online' ? [] : emptyStops(project, stops, new Set(LeftOut), ownItems)),
      ...others,
    ]
    if (problems.length > 0) throw wrong(problems)
    return { stops: stops.filter((stop) => stop !== null), ownItems }
  }

  function emptyStops(
    project: PlantProject,
    stops: readonly (StoredStop | null)[],
    leftOut: ReadonlySet<string>,
    own: readonly StoredOwnItem[],
  ): readonly PlanProblem[] {
    return stops.flatMap((stop, at): PlanProblem[] => {
      const there = stop && presentStop(plant, project.id, stop)
      return there && itemsAsked(there.list, leftOut, own).length === 0 ? [{ key: 'plan list empty', stop: at + 1 }] : []
    })
  }
}

function wrong(problems: readonly PlanProblem[]): Refusal {
  return new Refusal(
    'inspection plan wrong',
    { count: problems.length },
    problems.map(({ key, ...detail }) => ({ Path: pathOf({ key, ...detail } as PlanProblem), Text: textOf(key, detail) })),
  )
}

function pathOf(problem: PlanProblem): string {
  switch (problem.key) {
    case 'plan cycle wrong':
      return 'body.Cycle.Every'
    case 'plan window wrong':
      return 'body.WindowDays'
    case 'plan day wrong':
      return 'body.FirstDue'
    case 'plan item wrong':
      return 'body.OwnItems'
    default:
      return `body.Stops.${problem.stop - 1}`
  }
}
