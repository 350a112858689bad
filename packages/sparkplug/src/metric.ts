/** Data types of Sparkplug B 3.0, by their wire number. */
export const DataType = {
  Unknown: 0,
  Int8: 1,
  Int16: 2,
  Int32: 3,
  Int64: 4,
  UInt8: 5,
  UInt16: 6,
  UInt32: 7,
  UInt64: 8,
  Float: 9,
  Double: 10,
  Boolean: 11,
  String: 12,
  DateTime: 13,
  Text: 14,
  UUID: 15,
  DataSet: 16,
  Bytes: 17,
  File: 18,
  Template: 19,
} as const
export type DataType = (typeof DataType)[keyof typeof DataType]

/** 64-bit integers are numbers while they are safe, bigint beyond. */
export type MetricValue = number | bigint | boolean | string | Uint8Array | null

/** A bigint beyond 2^53 only: an alias is any unsigned 64-bit number. */
export type Alias = number | bigint

export interface Metric {
  readonly name: string | null
  readonly alias: Alias | null
  /** Unix ms; null: the payload's. */
  readonly timestampMs: number | null
  /** 0 when the wire carried none, as DATA may, and its field does not tell either: see `valueAs`. */
  readonly type: number
  readonly isHistorical: boolean
  readonly isTransient: boolean
  readonly isNull: boolean
  readonly value: MetricValue
  /** DataSet, Template and extensions are kept by name only; their value stays null. */
  readonly unsupported: boolean
}

export interface Payload {
  readonly timestampMs: number | null
  readonly seq: number | null
  readonly metrics: readonly Metric[]
  readonly uuid: string | null
  readonly body: Uint8Array | null
}

/** A metric with everything absent that was not given. */
export const metric = (given: Partial<Metric> & Pick<Metric, 'value' | 'type'>): Metric => ({
  name: null,
  alias: null,
  timestampMs: null,
  isHistorical: false,
  isTransient: false,
  isNull: given.value === null,
  unsupported: false,
  ...given,
})
