import type { Timer, TimerForm } from '@linewarden/contract'
import type { DayClass, TimerAction, TimerFunction } from '@linewarden/rules/automation'
import { maxTimerPoints, parseTime, timerFunctions } from '@linewarden/rules/automation'

export type TimerType = NonNullable<TimerForm['Type']>
export type LineTarget = TimerForm['Lines'][number]

/** A time as it stands in the form: what was typed, whether it can be read or not. */
export interface PointValues {
  readonly no: number
  readonly by: 'clock' | 'rise' | 'set'
  readonly at: string
  readonly offset: string
  readonly action: TimerAction
}

export interface ExceptionValues {
  readonly key: number
  readonly from: string
  readonly to: string
  /** Null: nothing is done on these days. */
  readonly points: readonly PointValues[] | null
}

/** What of a timer stands in the form. What another type or function would need stays, so that going back loses nothing. */
export interface FormValues {
  readonly name: string
  readonly function: TimerFunction | null
  readonly type: TimerType | null
  readonly points: readonly PointValues[]
  readonly date: string
  /** Bits, 0 Monday. */
  readonly weekDays: number
  readonly monthDays: readonly number[]
  readonly classes: readonly DayClass[]
  readonly from: string
  readonly to: string
  readonly exceptions: readonly ExceptionValues[]
  readonly lines: readonly LineTarget[]
  /** What a timer of that function runs. */
  readonly scene: number | null
  readonly keep: boolean
  readonly enabled: boolean
}

export const emptyValues: FormValues = {
  name: '',
  function: null,
  type: null,
  points: [],
  date: '',
  weekDays: 0,
  monthDays: [],
  classes: [],
  from: '',
  to: '',
  exceptions: [],
  lines: [],
  scene: null,
  keep: true,
  enabled: true,
}

/** A stored timer as the form has it; a copy has no name yet. */
export function valuesOf(timer: Timer, isCopy: boolean): FormValues {
  const { Period, Exceptions } = timer
  return {
    name: isCopy ? '' : timer.Name,
    function: timer.Function,
    type: timer.Type,
    points: timer.Points.map(pointValues),
    date: Period.Date ?? '',
    weekDays: typeof Period.Days === 'number' ? Period.Days : 0,
    monthDays: Array.isArray(Period.Days) ? Period.Days : [],
    classes: Period.Classes ?? [],
    from: Period.FromDate ?? '',
    to: Period.ToDate ?? '',
    exceptions: Exceptions.map(({ FromDate, ToDate, Do }, key) => ({
      ...{ key, from: FromDate, to: ToDate },
      points: Do === 'none' ? null : Do.map(pointValues),
    })),
    // Those of a scene are the scene's.
    lines: timer.Function === 'scene' ? [] : timer.Lines.map(({ ControllerID, LineNo }) => ({ ControllerID, LineNo })),
    scene: timer.SceneID,
    keep: timer.KeepWhileWanted,
    enabled: timer.Enabled,
  }
}

const pointValues = ({ PointNo, At, Action }: TimerForm['Points'][number]): PointValues =>
  typeof At === 'string'
    ? { no: PointNo, by: 'clock', at: At, offset: '0', action: Action }
    : { no: PointNo, by: At.Sun, at: '', offset: String(At.OffsetMin), action: Action }

/** What is sent of the form: only what its type and function need. */
export function formOf(values: FormValues): TimerForm {
  const isOnce = values.type === 'once'
  return {
    Name: values.name,
    Function: values.function,
    Type: values.type,
    Period: {
      ...(isOnce && { Date: written(values.date) }),
      ...((values.type === 'weekly' || values.type === 'sun') && { Days: values.weekDays }),
      ...(values.type === 'monthly' && { Days: [...values.monthDays] }),
      ...(values.type === 'calendar' && { Classes: [...values.classes] }),
      FromDate: isOnce || values.from.trim() === '' ? null : written(values.from),
      ToDate: isOnce || values.to.trim() === '' ? null : written(values.to),
    },
    Points: values.points.map((point) => wirePoint(point, values.type)),
    Exceptions: isOnce
      ? []
      : values.exceptions.map(({ from, to, points }) => ({
          FromDate: written(from),
          ToDate: to.trim() === '' ? written(from) : written(to),
          Do: points === null ? ('none' as const) : points.map((point) => wirePoint(point, values.type)),
        })),
    Lines: values.function === 'scene' ? [] : [...values.lines],
    ...(values.function === 'scene' && { SceneID: values.scene }),
    KeepWhileWanted: values.keep,
    Enabled: values.enabled,
  }
}

/** Longer than any date or time: the server refuses it by its field. */
const written = (text: string): string => text.trim().slice(0, 10)

/** Beyond what is permitted: so that the server names what cannot be read. */
const noOffset = 9_999

function wirePoint({ no, by, at, offset, action }: PointValues, type: TimerType | null): TimerForm['Points'][number] {
  if (by === 'clock' || type !== 'sun') return { PointNo: no, At: at.trim().slice(0, 12), Action: action }
  const minutes = /^[+-]?\d{1,4}$/.test(offset.trim()) ? Number(offset) : noOffset
  return { PointNo: no, At: { Sun: by, OffsetMin: minutes }, Action: action }
}

/** Another function does other things at the same times. */
export function withFunction(values: FormValues, to: TimerFunction): FormValues {
  const actions: readonly TimerAction[] = timerFunctions[to]
  const fit = (points: readonly PointValues[]) =>
    points.map((point, index) => (actions.includes(point.action) ? point : { ...point, action: actionAt(actions, index) }))
  return {
    ...values,
    function: to,
    points: fit(values.points),
    exceptions: values.exceptions.map((each) => ({ ...each, points: each.points && fit(each.points) })),
  }
}

/** Closes and trips alternate: the first of a new timer closes. */
const actionAt = (actions: readonly TimerAction[], index: number): TimerAction =>
  actions.length > 1 ? (index % 2 === 0 ? 'close' : 'trip') : (actions[0] ?? 'close')

/** One more time; null: there may be no more. */
export function withPoint(
  points: readonly PointValues[],
  { function: purpose, type }: Pick<FormValues, 'function' | 'type'>,
): readonly PointValues[] | null {
  if (points.length >= maxTimerPoints) return null
  const used = new Set(points.map(({ no }) => no))
  const no = Array.from({ length: maxTimerPoints }, (_, index) => index + 1).find((each) => !used.has(each)) ?? 1
  const last = points.at(-1)
  const action =
    last && purpose === 'switch' ? (last.action === 'close' ? 'trip' : 'close') : actionAt(timerFunctions[purpose ?? 'switch'], 0)
  const by = type === 'sun' ? (last?.by === 'set' ? 'rise' : 'set') : 'clock'
  return [...points, { no, by, at: '', offset: '0', action }]
}

/** A time as it is written on the wire, of whatever signs were typed; what cannot be read stays as it is. */
export function clockText(text: string): string {
  const [, hours = '', minutes = '', seconds] = /^(\d{1,2})[:：.](\d{2})(?:[:：.](\d{2}))?$/.exec(text.trim()) ?? []
  if (hours === '') return text.trim()
  const plain = `${hours.padStart(2, '0')}:${minutes}${seconds === undefined || seconds === '00' ? '' : `:${seconds}`}`
  return parseTime(plain) === null ? text.trim() : plain
}

/** A minute, or what stands under the caret, more or less; round the clock. */
export function steppedClock(text: string, caret: number, by: number): string {
  const seconds = parseTime(clockText(text))
  if (seconds === null) return text
  const unit = caret <= 2 ? 3_600 : caret <= 5 ? 60 : 1
  const next = (((seconds + unit * by) % 86_400) + 86_400) % 86_400
  const two = (value: number) => String(value).padStart(2, '0')
  const [h, m, s] = [Math.floor(next / 3_600), Math.floor((next % 3_600) / 60), next % 60]
  return `${two(h)}:${two(m)}${s === 0 ? '' : `:${two(s)}`}`
}
