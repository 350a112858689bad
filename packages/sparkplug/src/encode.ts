import type { Metric, Payload } from './metric.ts'
import { DataType } from './metric.ts'
import { WireWriter } from './wire-writer.ts'

/** One for all: nothing is written in the midst of another payload. */
const writer = new WireWriter()

/** Encodes a payload as Sparkplug B protobuf. `typed` leaves datatypes out, for whoever knows them from a birth. */
export function encodePayload(
  payload: Partial<Payload> & Pick<Payload, 'metrics'>,
  { typed = () => true }: { readonly typed?: (metric: Metric) => boolean } = {},
): Uint8Array {
  writer.clear()
  if (payload.timestampMs != null) writer.varintField(1, payload.timestampMs)
  for (const each of payload.metrics) writer.block(2, (inner) => writeMetric(inner, each, typed(each)))
  if (payload.seq != null) writer.varintField(3, payload.seq)
  if (payload.uuid != null) writer.text(4, payload.uuid)
  if (payload.body != null) writer.bytes(5, payload.body)
  return writer.finish()
}

function writeMetric(writer: WireWriter, metric: Metric, typed: boolean): void {
  if (metric.name !== null) writer.text(1, metric.name)
  if (typeof metric.alias === 'number') writer.varintField(2, metric.alias)
  else if (metric.alias !== null) writer.varint64Field(2, metric.alias)
  if (metric.timestampMs !== null) writer.varintField(3, metric.timestampMs)
  if (typed && metric.type !== 0) writer.varintField(4, metric.type)
  if (metric.isHistorical) writer.varintField(5, 1)
  if (metric.isTransient) writer.varintField(6, 1)
  if (metric.isNull) {
    writer.varintField(7, 1)
    return
  }
  writeValue(writer, metric)
}

function writeValue(writer: WireWriter, { value, type }: Metric): void {
  if (value === null) return
  if (typeof value === 'boolean') writer.varintField(14, value ? 1 : 0)
  else if (typeof value === 'string') writer.text(15, value)
  else if (value instanceof Uint8Array) writer.bytes(16, value)
  else if (type === DataType.Float) writer.float(12, Number(value))
  else if (type === DataType.Double) writer.double(13, Number(value))
  // What is not negative is the same in either width.
  else if (Number.isSafeInteger(value) && Number(value) >= 0 && (isWide(type) || Number(value) <= 0xffff_ffff))
    writer.varintField(isWide(type) ? 11 : 10, Number(value))
  else if (isWide(type)) writer.varint64Field(11, BigInt.asUintN(64, BigInt(value)))
  else writer.varint64Field(10, BigInt.asUintN(32, BigInt(value)))
}

const isWide = (type: number): boolean => type === DataType.Int64 || type === DataType.UInt64 || type === DataType.DateTime
