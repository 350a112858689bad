import type { Metric, MetricValue } from './metric.ts'
import { DataType } from './metric.ts'

const signedBits: Readonly<Record<number, number>> = {
  [DataType.Int8]: 8,
  [DataType.Int16]: 16,
  [DataType.Int32]: 32,
  [DataType.Int64]: 64,
}

/** Signed types travel as two's complement in unsigned fields; some edges write them 32 or 64 bits wide, so only the type's own bits count. */
export function integerOf(value: bigint, type: number): number | bigint | boolean {
  if (type === DataType.Boolean) return value !== 0n
  const bits = signedBits[type]
  const exact = bits === undefined ? value : BigInt.asIntN(bits, value)
  const small = Number(exact)
  return Number.isSafeInteger(small) ? small : exact
}

/** The same for what is known to be below 2^53, without a bigint. */
export function integerAs(value: number, type: number): number {
  switch (type) {
    case DataType.Int8:
      return (value << 24) >> 24
    case DataType.Int16:
      return (value << 16) >> 16
    case DataType.Int32:
      return value | 0
    default:
      return value
  }
}

/** A metric's value, read by the type its birth announced where DATA carries none: the standard advises to leave it out. */
export function valueAs({ type, value }: Metric, announced: number): MetricValue {
  const untyped = type === DataType.Unknown && (typeof value === 'number' || typeof value === 'bigint')
  return untyped ? integerOf(BigInt(value), announced) : value
}
