/** A text people read, in both languages of the console. */
export interface Text {
  readonly zh: string
  readonly en: string
}

export type Phase = 'A' | 'B' | 'C' | 'N'

/**
 * Storage slots of one channel's wide row: sixteen measured values and one counter. A point's slot never changes once a family
 * has shipped, because stored readings carry no names.
 */
export const MEASURE_SLOTS = 16
export const COUNTER_SLOT = 16
export const SLOTS = 17

/** One measured quantity. Its value is a number or null (not known); zero is a measured zero. */
export interface Point {
  readonly key: string
  readonly label: Text
  readonly quantity: Quantity
  readonly unit: string
  /** Decimals shown everywhere. */
  readonly precision: number
  readonly phase?: Phase
  readonly slot: number
  /** The wire carries value x divisor; absent means the wire carries the unit itself. */
  readonly divisor?: number
}

export type Quantity =
  | 'current'
  | 'voltage'
  | 'power'
  | 'residual'
  | 'temperature'
  | 'powerFactor'
  | 'energy'
  | 'smoke'
  | 'battery'
  | 'signal'
  | 'gas'
  | 'arc'
  | 'count'

/** What people call each quantity. */
export const quantityLabels: Readonly<Record<Quantity, Text>> = {
  current: { zh: '电流', en: 'Current' },
  voltage: { zh: '电压', en: 'Voltage' },
  power: { zh: '功率', en: 'Power' },
  residual: { zh: '剩余电流', en: 'Residual current' },
  temperature: { zh: '温度', en: 'Temperature' },
  powerFactor: { zh: '功率因数', en: 'Power factor' },
  energy: { zh: '电能', en: 'Energy' },
  smoke: { zh: '烟雾', en: 'Smoke' },
  battery: { zh: '电池', en: 'Battery' },
  signal: { zh: '信号', en: 'Signal' },
  gas: { zh: '气体浓度', en: 'Gas concentration' },
  arc: { zh: '电弧', en: 'Arc' },
  count: { zh: '次数', en: 'Count' },
}

/** One reported state, an integer code on the wire and a word in the code. `values[i]` is the meaning of code i. */
export interface StatePoint {
  readonly key: string
  readonly label: Text
  readonly values: readonly StateValue[]
}

export interface StateValue {
  readonly key: string
  readonly label: Text
}

/**
 * A run of samples that the equipment records when something happens. On the wire it is one text: base64 of little-endian signed 16-bit
 * samples, each the value x divisor.
 */
export interface Recording {
  readonly key: string
  readonly label: Text
  readonly unit: string
  readonly divisor: number
  readonly perSecond: number
}

/** More samples than these are no recording of a moment. */
export const maxSamples = 16_384

/** A figure, or a multiple of the line's rated current In. */
export type Figure = number | { readonly timesIn: number }

/** One settable parameter; `min` and `max` are the form's range (specification section 5). */
export interface Setting {
  readonly key: string
  readonly label: Text
  readonly unit: string
  readonly min: Figure
  readonly max: Figure
  readonly step: number
  readonly default: Figure
  /** The clause the range comes from; a default is our choice unless the clause names one. */
  readonly source: string
  /** Settings whose range and normal band depend on the model code (specification section 9). */
  readonly voltageBand?: 'over' | 'under'
  /** The end of the range at which a protection hardly protects any more; of a switch, the value that is "off". Absent: it protects nobody. */
  readonly weak?: 'high' | 'low'
}

/** Something a person can make the equipment do, and the report that proves it was done. */
export interface Action {
  readonly key: ActionKey
  readonly label: Text
  /** Only this reported state proves the action; an acknowledgement does not. */
  readonly confirmedBy: { readonly state: string; readonly value: string }
  /** The state keeps the outcome of the one before: only a report that changes it is about this one. */
  readonly byChange?: true
  /** The equipment also reports this figure of it; success is then proven by the figure alone. */
  readonly measures?: 'tripMs'
}

export const actionKeys = ['trip', 'close', 'silence', 'selfTest'] as const
export type ActionKey = (typeof actionKeys)[number]

/** Worst first. */
export const alarmKinds = ['alarm', 'fault', 'warning'] as const
export type AlarmKind = (typeof alarmKinds)[number]
/** Worst first. */
export const priorities = ['critical', 'high', 'medium', 'low'] as const
export type Priority = (typeof priorities)[number]
/** What priorities are called, by language. */
export const priorityWords = {
  zh: { critical: '紧急', high: '高', medium: '中', low: '低' },
  en: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' },
} as const satisfies Record<keyof Text, Record<Priority, string>>

interface AlarmBase {
  readonly key: string
  readonly label: Text
  readonly kind: AlarmKind
  readonly priority: Priority
  readonly onDelayMs: number
  readonly offDelayMs: number
  /** Life-safety alarms stay active until the device itself reports a reset; they cannot be shelved. */
  readonly latching: boolean
  /** What people must be brought to safety from; such an alarm is critical and latches. */
  readonly danger?: 'fire' | 'gas'
}

/** A share of a setting, or a fixed value. */
export type AlarmLimit = { readonly setting: string; readonly share: number } | { readonly value: number }

/** A measured value beyond a limit. Each point of `points` is evaluated by itself. */
export interface LimitAlarm extends AlarmBase {
  readonly on: 'limit'
  readonly points: readonly string[]
  readonly side: 'over' | 'under'
  readonly limit: AlarmLimit
  /** The value must come back by this share of the limit before the alarm may return. */
  readonly deadBandShare: number
  /** Values at or below this share of the limit are "no supply", not a low value: a dead line is no undervoltage. */
  readonly noSupplyShare?: number
}

/** A reported state that is itself the alarm. */
export interface StateAlarm extends AlarmBase {
  readonly on: 'state'
  readonly state: string
  readonly values: readonly string[]
  /** Values that say nothing either way: with them the alarm stays as it is. */
  readonly undecided?: readonly string[]
  /** The value that the equipment itself evaluated, the highest of these points, and its limit; without one, nobody outside knows it. */
  readonly judges?: { readonly points: readonly string[]; readonly limit?: AlarmLimit }
}

export type Alarm = LimitAlarm | StateAlarm

/** The drawing that stands for a family in trees and drawers. */
export type IconName = 'breaker' | 'airSwitch' | 'arc' | 'ways' | 'limiter' | 'smoke' | 'gas' | 'presence' | 'water' | 'residual'

/** One kind of equipment, as data only: server, console, simulator and documentation all read this. */
export interface Family {
  readonly key: string
  readonly label: Text
  /** `line`: values belong to lines 1..n of the device. `device`: to the device itself, kept as line 0. */
  readonly level: 'line' | 'device'
  readonly icon: IconName
  /** The calls of specification section 7 it answers, `METHOD /path` as written there. */
  readonly calls: readonly string[]
  readonly models: readonly string[]
  readonly points: readonly Point[]
  readonly states: readonly StatePoint[]
  /** What it records; absent: nothing. */
  readonly recordings?: readonly Recording[]
  readonly settings: readonly Setting[]
  readonly actions: readonly Action[]
  readonly alarms: readonly Alarm[]
}

/** Declares a family; identity at run time, it only pins the type. */
export const family = <const F extends Family>(description: F): F => description
