import type { Linkage, LinkageForm } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import type { Comparison } from '@linewarden/rules/automation'
import { defaultRelease } from '@linewarden/rules/automation'

/** One condition as a form has it: figures as they are typed, nothing chosen is empty. */
export interface ConditionValues {
  readonly id: number
  readonly LineID: string
  /** `point current.a`. */
  readonly source: string
  readonly Op: Comparison
  readonly Value: string
  /** The value at which it may rise again; empty: as proposed. */
  readonly released: string
  readonly ForS: string
  /** The line that it was read of is no longer in the project: how it was called, as far as that is known. Null: it is there. */
  readonly gone: string | null
}

export interface ActionValues {
  readonly id: number
  readonly Kind: LinkageForm['Actions'][number]['Kind']
  readonly LineID: string
  readonly SceneID: string
  readonly DelayS: string
  /** Of a work order: how it is called, how urgent it is, and who gets it; empty: nobody yet. */
  readonly Title: string
  readonly Priority: Priority
  readonly Person: string
  readonly PersonName: string
  /** Likewise of its line or scene. */
  readonly gone: string | null
}

export interface HoursValues {
  readonly id: number
  readonly Days: number
  readonly From: string
  readonly To: string
}

export interface LinkageValues {
  readonly Name: string
  readonly Enabled: boolean
  readonly Mode: LinkageForm['Mode']
  readonly Match: LinkageForm['Match']
  readonly Conditions: readonly ConditionValues[]
  readonly ActiveHours: readonly HoursValues[]
  readonly Actions: readonly ActionValues[]
  readonly CooldownS: string
  readonly MaxPerHour: string
  readonly MaxPerDay: string
  readonly MayClose: boolean
}

let last = 0
/** Tells rows of a form apart while they come and go. */
export const newRow = (): number => ++last

export const newCondition = (values: Partial<ConditionValues> = {}): ConditionValues => ({
  ...{ id: newRow(), LineID: '', source: '', Op: '>', Value: '', released: '', ForS: '0', gone: null },
  ...values,
})
export const newAction = (values: Partial<ActionValues> = {}): ActionValues => ({
  ...{ id: newRow(), Kind: 'trip', LineID: '', SceneID: '', DelayS: '0', gone: null },
  ...{ Title: '', Priority: 'medium', Person: '', PersonName: '' },
  ...values,
})
export const newHours = (): HoursValues => ({ id: newRow(), Days: 0b0011111, From: '18:00', To: '08:00' })

export const newLinkage = (values: Partial<LinkageValues> = {}): LinkageValues => ({
  ...{ Name: '', Enabled: true, Mode: 'live', Match: 'all', Conditions: [newCondition()], ActiveHours: [] },
  ...{ Actions: [newAction()], CooldownS: '300', MaxPerHour: '6', MaxPerDay: '24', MayClose: false },
  ...values,
})

const isUpward = (op: Comparison): boolean => op === '>' || op === '>='

/** The value at which a condition is released, from how far it must come back. */
export const releasedAt = (op: Comparison, value: number, release: number): number =>
  rounded(isUpward(op) ? value - release : value + release)

const rounded = (value: number): number => Number(value.toPrecision(9))

/** Whether it has a release at all: a word of a state, or a value that must be equal, has none. */
export const hasRelease = (kind: string, op: Comparison): boolean => kind === 'point' && op !== '=' && op !== '!='

/** The value at which it is released unless somebody says another; null: there is no limit yet. */
export function proposedRelease({ Op, Value, source }: ConditionValues, precision: number): number | null {
  const value = numberIn(Value)
  const [kind = ''] = source.split(' ')
  return value === null || !hasRelease(kind, Op) ? null : releasedAt(Op, value, defaultRelease(value, precision))
}

/** A figure as people type it, with a point or a comma; null: it is none. */
export function numberIn(text: string): number | null {
  const trimmed = text.trim().replace(',', '.')
  return /^-?\d{1,12}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : null
}

export function valuesOf(linkage: Linkage): LinkageValues {
  return {
    ...{ Name: linkage.Name, Enabled: linkage.Enabled, Mode: linkage.Mode, Match: linkage.Match, MayClose: linkage.MayClose },
    Conditions: linkage.Conditions.map((each) =>
      newCondition({
        LineID: String(each.LineID),
        source: `${each.Kind} ${each.Key}`,
        Op: each.Op,
        Value: String(each.Value),
        released: hasRelease(each.Kind, each.Op) ? String(releasedAt(each.Op, each.Value, each.Release)) : '',
        ForS: String(each.ForS),
        gone: each.Gone ? each.LineName : null,
      }),
    ),
    ActiveHours: linkage.ActiveHours.map((each) => ({ id: newRow(), ...each })),
    Actions: linkage.Actions.map(({ Kind, LineID, SceneID, DelayS, Gone, LineName, SceneName, Order }) =>
      newAction({
        ...{ Kind, LineID: String(LineID ?? ''), SceneID: String(SceneID ?? ''), DelayS: String(DelayS) },
        gone: Gone ? (LineName ?? SceneName ?? '') : null,
        ...(Order && {
          ...{ Title: Order.Title, Priority: Order.Priority },
          ...{ Person: Order.PersonInCharge?.AccountID ?? '', PersonName: Order.PersonInCharge?.Name ?? '' },
        }),
      }),
    ),
    ...{ CooldownS: String(linkage.CooldownS), MaxPerHour: String(linkage.MaxPerHour), MaxPerDay: String(linkage.MaxPerDay) },
  }
}

/** What a field of the form lacks, by its path on the wire. */
export type MissingKey =
  | 'nameMissing'
  | 'pointMissing'
  | 'lineMissing'
  | 'lineGone'
  | 'sceneMissing'
  | 'sceneGone'
  | 'numberWrong'
  | 'wholeWrong'
  | 'releaseWrong'
  | 'conditionMissing'
  | 'actionMissing'
  | 'timeWrong'

export interface FormRequest {
  /** Null: something is missing, see `missing`. */
  readonly form: LinkageForm | null
  readonly missing: Readonly<Record<string, MissingKey>>
}

interface LinePlace {
  readonly ControllerID: string
  readonly LineNo: number
}

/** What is sent, or everything that is missing before anything can be. Ranges are the server's to say. */
export function formOf(values: LinkageValues, placeOf: (lineId: string) => LinePlace | null): FormRequest {
  const missing: Record<string, MissingKey> = {}
  const number = (path: string, text: string): number => {
    const value = numberIn(text)
    if (value === null) missing[path] = 'numberWrong'
    return value ?? 0
  }
  const whole = (path: string, text: string): number => {
    const value = numberIn(text)
    if (value === null || !Number.isInteger(value) || Math.abs(value) > 1_000_000) missing[path] = 'wholeWrong'
    return value === null ? 0 : Math.trunc(value)
  }
  if (values.Name.trim() === '') missing.Name = 'nameMissing'
  if (values.Conditions.length === 0) missing.Conditions = 'conditionMissing'
  if (values.Actions.length === 0) missing.Actions = 'actionMissing'
  const Conditions = values.Conditions.map((each, index): LinkageForm['Conditions'][number] => {
    const own = `Conditions.${index}`
    const place = placeOf(each.LineID)
    const [Kind = '', ...key] = each.source.split(' ')
    if (!place) missing[`${own}.LineNo`] = each.gone === null ? 'lineMissing' : 'lineGone'
    if (each.source === '') missing[`${own}.Key`] = 'pointMissing'
    const Value = number(`${own}.Value`, each.Value)
    return {
      Kind: Kind as LinkageForm['Conditions'][number]['Kind'],
      ...(place ?? { ControllerID: '', LineNo: 0 }),
      ...{ Key: key.join(' '), Op: each.Op, Value, ForS: whole(`${own}.ForS`, each.ForS) },
      Release: hasRelease(Kind, each.Op) ? releaseOf(each, Value, () => (missing[`${own}.Release`] = 'releaseWrong')) : 0,
    }
  })
  const Actions = values.Actions.map((each, index): LinkageForm['Actions'][number] => {
    const own = `Actions.${index}`
    const DelayS = whole(`${own}.DelayS`, each.DelayS)
    if (each.Kind === 'scene') {
      if (each.SceneID === '') missing[`${own}.SceneID`] = 'sceneMissing'
      else if (each.gone !== null) missing[`${own}.SceneID`] = 'sceneGone'
      return { Kind: 'scene', SceneID: Number(each.SceneID), DelayS }
    }
    const place = placeOf(each.LineID)
    if (!place) missing[`${own}.LineNo`] = each.gone === null ? 'lineMissing' : 'lineGone'
    const Order = { Title: each.Title.trim(), Priority: each.Priority, PersonInCharge: each.Person || null }
    return { Kind: each.Kind, ...(place ?? { ControllerID: '', LineNo: 0 }), DelayS, ...(each.Kind === 'workorder' && { Order }) }
  })
  const form = {
    ...{ Name: values.Name.trim(), Enabled: values.Enabled, Mode: values.Mode, Match: values.Match, Conditions, Actions },
    ActiveHours: values.ActiveHours.map(({ Days, From, To }, index) => {
      if (!isTime(From)) missing[`ActiveHours.${index}.From`] = 'timeWrong'
      if (!isTime(To)) missing[`ActiveHours.${index}.To`] = 'timeWrong'
      return { Days, From, To }
    }),
    CooldownS: whole('CooldownS', values.CooldownS),
    MaxPerHour: whole('MaxPerHour', values.MaxPerHour),
    MaxPerDay: whole('MaxPerDay', values.MaxPerDay),
    MayClose: values.MayClose,
  }
  return { form: Object.keys(missing).length > 0 ? null : form, missing }
}

const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)

/** How far a value must come back; null: as the server proposes. It cannot be released beyond its limit. */
function releaseOf({ released, Op }: ConditionValues, value: number, wrong: () => void): number | null {
  if (released.trim() === '') return null
  const at = numberIn(released)
  const release = at === null ? -1 : rounded(isUpward(Op) ? value - at : at - value)
  if (release < 0) wrong()
  return Math.max(0, release)
}
