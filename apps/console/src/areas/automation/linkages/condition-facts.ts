import type { Linkage, LinkageCondition } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import type { Comparison } from '@linewarden/rules/automation'
import { figure } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { sourceWords } from './source-words.ts'

const signs: Readonly<Record<Comparison, string>> = { '>': '>', '>=': '≥', '<': '<', '<=': '≤', '=': '=', '!=': '≠' }

export const signOf = (op: Comparison): string => signs[op]

type Named = Pick<LinkageCondition, 'Kind' | 'Key' | 'LineName'>

/** The line and what is read of it. */
export function subjectOf({ Kind, Key, LineName }: Named, family: Family | null): string {
  const words = sourceWords(family, Kind, Key)
  return `${LineName} ${words ? localised(words.label) : Key}`
}

/** A value as people read it: a figure with its unit, or the word of a state. */
export function valueText(
  { Kind, Key }: Pick<Named, 'Kind' | 'Key'>,
  family: Family | null,
  value: number | null,
  withUnit = true,
): string {
  if (value === null) return '–'
  const words = sourceWords(family, Kind, Key)
  const word = words?.values?.[value]
  if (word) return localised(word)
  const text = words ? trimmed(value, words.precision) : String(value)
  return words?.unit && withUnit ? `${text} ${words.unit}` : text
}

/** A limit is written as it was typed, a value with the decimals of its point. */
const trimmed = (value: number, precision: number): string =>
  Number.isInteger(value) ? String(value) : figure(value, Math.max(precision, 1))

export const conditionText = (condition: Named & Pick<LinkageCondition, 'Op' | 'Value'>, family: Family | null): string =>
  `${subjectOf(condition, family)} ${signs[condition.Op]} ${valueText(condition, family, condition.Value)}`

/** Where the limit stands on the bar of a condition. */
export const limitShare = 0.8

/** How far along the bar a value reaches, the limit at 80 %; null: it is no figure that can be drawn so. */
export function barShare({ Kind, Op, Value, Last }: Pick<LinkageCondition, 'Kind' | 'Op' | 'Value' | 'Last'>): number | null {
  if (Kind !== 'point' || Op === '=' || Op === '!=' || Value <= 0 || Last === null) return null
  return Math.min(1, Math.max(0, (Last / Value) * limitShare))
}

/** Whether its last value is too old to be relied on. */
export const isStale = ({ State, Last }: Pick<LinkageCondition, 'State' | 'Last'>): boolean =>
  State === 'unknown' && Last !== null

/** Whether it closes a line, by itself or by a scene that it runs; what a scene does is not known here. */
export const mayClose = ({ Actions, MayClose }: Pick<Linkage, 'Actions' | 'MayClose'>): boolean =>
  MayClose && Actions.some(({ Kind }) => Kind === 'close' || Kind === 'scene')

/** Days of trying out that are offered before a linkage with a close orders anything. */
export const shadowDays = 7

/** Whole days that it has been tried out; null: it is not being tried out. */
export const daysTried = ({ ShadowSince }: Pick<Linkage, 'ShadowSince'>, now: number): number | null =>
  ShadowSince === null ? null : Math.floor(Math.max(0, now - ShadowSince) / 86_400_000)

/** Whether it names a line or scene that is no longer in its project: it has to be edited before it acts again. */
export const namesGone = ({ Conditions, Actions }: Pick<Linkage, 'Conditions' | 'Actions'>): boolean =>
  [...Conditions, ...Actions].some(({ Gone }) => Gone)
