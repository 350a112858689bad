import { parseTime } from './civil-time.ts'
import type { DefinitionProblem, NamedLine } from './definition-problem.ts'
import { lineProblems, nameProblems, rangeProblems, tooMany } from './definition-problem.ts'
import type { LinkageCondition } from './linkage.ts'
import type { LinkedRule } from './linkage-loop.ts'
import { findLoop } from './linkage-loop.ts'

export const maxConditions = 8
export const maxActions = 16
export const maxActiveHours = 7
const maxForS = 86_400
const maxDelayS = 3_600

/** Of what a condition reads: whether the family has it, and whether it is a danger that only a person may close after. */
export interface NamedSource {
  readonly line: NamedLine | null
  readonly hasKey: boolean
  /** A latching or danger alarm, a trip by leakage or arc, or what another linkage raises. */
  readonly barsCloses: boolean
}

export const linkageActionKinds = ['trip', 'close', 'scene', 'raise', 'workorder'] as const
export type LinkageActionKind = (typeof linkageActionKinds)[number]

export interface LinkageDraft {
  readonly name: string
  readonly conditions: readonly (Omit<LinkageCondition, 'periodMs'> & { readonly source: NamedSource })[]
  readonly actions: readonly {
    readonly kind: LinkageActionKind
    /** The line of a trip, a close, a raise or a work order; null: not there. Of a scene whether it is there and has a close. */
    readonly target: NamedLine | null
    readonly closes: boolean
    readonly delayS: number
  }[]
  readonly activeHours: readonly { readonly days: number; readonly from: string; readonly to: string }[]
  readonly cooldownS: number
  readonly maxPerHour: number
  readonly maxPerDay: number
  readonly mayClose: boolean
}

/** Everything that is wrong with a linkage by itself, and the loop that it would make with the others of its project. */
export function linkageProblems(
  draft: LinkageDraft,
  own: LinkedRule,
  others: readonly LinkedRule[],
  feeds: ReadonlyMap<string, readonly string[]>,
): readonly DefinitionProblem[] {
  const { conditions, actions, activeHours } = draft
  const closes = actions.some((action) => action.closes)
  const found: DefinitionProblem[] = [
    ...nameProblems(draft.name),
    ...(conditions.length === 0 ? [{ key: 'condition missing', field: 'Conditions' } as const] : []),
    ...(actions.length === 0 ? [{ key: 'action missing', field: 'Actions' } as const] : []),
    ...tooMany('Conditions', 'conditions', conditions.length, maxConditions),
    ...tooMany('Actions', 'actions', actions.length, maxActions),
    ...tooMany('ActiveHours', 'hours', activeHours.length, maxActiveHours),
    ...rangeProblems('CooldownS', draft.cooldownS, 60, 86_400),
    ...rangeProblems('MaxPerHour', draft.maxPerHour, 1, 20),
    ...rangeProblems('MaxPerDay', draft.maxPerDay, 1, 100),
    ...conditions.flatMap(conditionProblems),
    ...actions.flatMap(actionProblems),
    ...activeHours.flatMap(hoursProblems),
  ]
  if (closes && (!draft.mayClose || conditions.some(({ source }) => source.barsCloses)))
    found.push({ key: 'linkage may not close', field: draft.mayClose ? 'Conditions' : 'MayClose' })
  const loop = findLoop([...others.filter(({ linkageId }) => linkageId !== own.linkageId), own], feeds)
  if (loop) found.push({ key: 'linkage loop', field: null, detail: { path: loop } })
  return found
}

function conditionProblems(condition: LinkageDraft['conditions'][number], index: number): readonly DefinitionProblem[] {
  const own = `Conditions.${index}`
  const { source, key, value, release, forS } = condition
  const wrongLine = lineProblems(own, source.line, null)
  return [
    ...wrongLine,
    ...(wrongLine.length === 0 && !source.hasKey
      ? [{ key: 'point unknown', field: `${own}.Key`, detail: { point: key } } as const]
      : []),
    ...rangeProblems(`${own}.Value`, value, -1e9, 1e9),
    ...rangeProblems(`${own}.Release`, release, 0, 1e9),
    ...rangeProblems(`${own}.ForS`, forS, 0, maxForS),
  ]
}

function actionProblems({ kind, target, delayS }: LinkageDraft['actions'][number], index: number): readonly DefinitionProblem[] {
  const own = `Actions.${index}`
  return [
    ...lineProblems(own, target, kind === 'trip' || kind === 'close' ? kind : null),
    ...rangeProblems(`${own}.DelayS`, delayS, 0, maxDelayS),
  ]
}

function hoursProblems({ days, from, to }: LinkageDraft['activeHours'][number], index: number): readonly DefinitionProblem[] {
  const own = `ActiveHours.${index}`
  return [
    ...rangeProblems(`${own}.Days`, days, 1, 127),
    ...(parseTime(from) === null ? [{ key: 'time wrong', field: `${own}.From` } as const] : []),
    ...(parseTime(to) === null ? [{ key: 'time wrong', field: `${own}.To` } as const] : []),
  ]
}
