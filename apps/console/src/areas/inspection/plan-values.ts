import type { InspectionPlan, insertInspectionPlan, OwnItem, Request } from '@linewarden/contract'
import type { CountedFrom, CycleUnit, PhotoDemand, RoundKind, SignatureDemand } from '@linewarden/rules/inspection'
import { cycleMost, windowDaysMost } from '@linewarden/rules/inspection'
import { dayIn } from './days.ts'
import type { ChosenStop } from './stops.ts'
import { stopAsked, stopsOf } from './stops.ts'

/** A plan as it is being written. */
export interface PlanValues {
  readonly HouseID: string
  readonly Name: string
  readonly Kind: RoundKind
  readonly Stops: readonly ChosenStop[]
  readonly LeftOut: readonly string[]
  readonly OwnItems: readonly OwnItem[]
  readonly Every: string
  readonly Unit: CycleUnit
  readonly CountsFrom: CountedFrom
  readonly FirstDue: string
  readonly Before: string
  readonly After: string
  readonly Assignees: readonly string[]
  readonly Signature: SignatureDemand
  readonly PhotoOn: PhotoDemand
  /** Approved by somebody other than the inspector. */
  readonly FourEyes: boolean
  readonly Enabled: boolean
}

export const newPlan = (houseId: string, today: string): PlanValues => ({
  ...{ HouseID: houseId, Name: '', Kind: 'onSite', Stops: [], LeftOut: [], OwnItems: [] },
  ...{ Every: '1', Unit: 'month', CountsFrom: 'plan', FirstDue: today, Before: '3', After: '3' },
  ...{ Assignees: [], Signature: 'inspector', PhotoOn: 'defect', FourEyes: true, Enabled: true },
})

export const valuesOf = (plan: InspectionPlan): PlanValues => ({
  ...{ HouseID: String(plan.HouseID), Name: plan.Name, Kind: plan.Kind, Stops: stopsOf(plan) },
  ...{ LeftOut: plan.LeftOut, OwnItems: plan.OwnItems },
  ...{ Every: String(plan.Cycle.Every), Unit: plan.Cycle.Unit, CountsFrom: plan.CountsFrom, FirstDue: plan.FirstDue },
  ...{ Before: String(plan.WindowDays.Before), After: String(plan.WindowDays.After) },
  Assignees: plan.Assignees.flatMap(({ AccountID }) => AccountID ?? []),
  ...{ Signature: plan.Signature, PhotoOn: plan.PhotoOn, Enabled: plan.Enabled },
  FourEyes: plan.FourEyes ?? true,
})

const whole = (text: string, from: number, to: number): boolean =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= from && Number(text) <= to

/** What is wrong, each by the name of its text. */
export function wrongIn(values: PlanValues): { readonly [K in keyof PlanValues]?: PlanProblem | null } {
  return {
    HouseID: values.HouseID === '' ? 'projectMissing' : null,
    Name: values.Name.trim() === '' ? 'nameMissing' : null,
    Stops: values.Stops.every(({ gone }) => gone) ? 'stopsMissing' : null,
    Every: whole(values.Every, 1, cycleMost[values.Unit]) ? null : 'everyWrong',
    FirstDue: Number.isNaN(dayIn(values.FirstDue.trim())) ? 'dayWrong' : null,
    Before: whole(values.Before, 0, windowDaysMost) ? null : 'windowWrong',
    After: whole(values.After, 0, windowDaysMost) ? null : 'windowWrong',
  }
}

export type PlanProblem = 'projectMissing' | 'nameMissing' | 'stopsMissing' | 'everyWrong' | 'dayWrong' | 'windowWrong'

/** What is written, as the calls take it. A stop that is gone is left out; so is an item of a list that no stop has any more. */
export function askedOf(values: PlanValues): Omit<Request<typeof insertInspectionPlan>['body'], 'HouseID'> {
  const stops = values.Stops.filter(({ gone }) => !gone)
  const lists = new Set(stops.map(({ list }) => list))
  return {
    ...{ Name: values.Name.trim(), Kind: values.Kind, Stops: stops.map(stopAsked), LeftOut: [...values.LeftOut] },
    OwnItems: values.OwnItems.filter(({ List }) => lists.has(List)),
    Cycle: { Every: Number(values.Every), Unit: values.Unit },
    ...{ CountsFrom: values.CountsFrom, FirstDue: values.FirstDue.trim() },
    WindowDays: { Before: Number(values.Before), After: Number(values.After) },
    ...{ Assignees: [...values.Assignees], Signature: values.Signature, PhotoOn: values.PhotoOn, Enabled: values.Enabled },
    FourEyes: values.FourEyes,
  }
}
