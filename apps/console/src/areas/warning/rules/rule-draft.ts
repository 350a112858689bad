import type { WarningRule, WarningRuleValues } from '@linewarden/contract'

/** What somebody has changed of a rule and not saved; what is absent is as it was read. */
export interface RuleDraft {
  readonly enabled?: boolean
  /** As it was typed, by the names of the figures. */
  readonly texts: Readonly<Record<string, string>>
  readonly priority?: WarningRule['Priority']
  readonly targets?: WarningRule['Targets']
  readonly except?: readonly number[]
}

export const noDraft: RuleDraft = { texts: {} }

type Parameter = WarningRule['Params'][number]

/** A figure as people type it; null: it is none. */
export function figureIn(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return /^-?\d{1,7}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null
}

/** The figure of a parameter with the draft over it; null: what was typed is none. */
export function figureOf({ texts }: RuleDraft, { Name, Value }: Parameter): number | null {
  const text = texts[Name]
  return text === undefined ? Value : figureIn(text)
}

/** Whether what was typed may not be saved: no figure, or outside of the range. */
export function isWrong(draft: RuleDraft, parameter: Parameter): boolean {
  const value = figureOf(draft, parameter)
  return value === null || value < parameter.Min || value > parameter.Max
}

const sameNumbers = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))

const sameTargets = (one: WarningRule['Targets'], other: WarningRule['Targets']): boolean =>
  one.Kind === other.Kind &&
  sameNumbers(one.LineIDs, other.LineIDs) &&
  one.Families.length === other.Families.length &&
  one.Families.every((each) => other.Families.includes(each))

/** What of a rule differs from what was read: names of figures, and `Enabled`, `Priority`, `Targets`, `Except`. */
export function changesOf(rule: WarningRule, draft: RuleDraft): readonly string[] {
  const { enabled, priority, targets, except } = draft
  return [
    ...(enabled !== undefined && enabled !== rule.Enabled ? ['Enabled'] : []),
    ...rule.Params.filter((each) => figureOf(draft, each) !== each.Value).map(({ Name }) => Name),
    ...(priority !== undefined && priority !== rule.Priority ? ['Priority'] : []),
    ...(targets !== undefined && !sameTargets(targets, rule.Targets) ? ['Targets'] : []),
    ...(except !== undefined && !sameNumbers(except, rule.Except) ? ['Except'] : []),
  ]
}

/** The rule as it would be saved; null: a figure is wrong, or no line is chosen. */
export function valuesOf(rule: WarningRule, draft: RuleDraft): WarningRuleValues | null {
  const Targets = draft.targets ?? rule.Targets
  if (rule.Params.some((each) => isWrong(draft, each)) || isEmpty(Targets)) return null
  return {
    Enabled: draft.enabled ?? rule.Enabled,
    Params: rule.Params.map((each) => ({ Name: each.Name, Value: figureOf(draft, each) ?? each.Value })),
    Priority: draft.priority ?? rule.Priority,
    Targets,
    Except: [...(draft.except ?? rule.Except)],
  }
}

/** Chosen one by one, and none of them. */
export const isEmpty = ({ Kind, Families, LineIDs }: WarningRule['Targets']): boolean =>
  (Kind === 'families' && Families.length === 0) || (Kind === 'lines' && LineIDs.length === 0)
