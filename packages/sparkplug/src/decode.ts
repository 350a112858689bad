import { integerOf } from './integer.ts'
import type { Alias, Metric, MetricValue, Payload } from './metric.ts'
import { DataType } from './metric.ts'
import { DecodeError, WireReader } from './wire-reader.ts'

export interface DecodeLimits {
  readonly maxBytes: number
  readonly maxMetrics: number
}

export const defaultLimits: DecodeLimits = { maxBytes: 1_048_576, maxMetrics: 5_000 }

/** How some libraries say that the body holds the payload, compressed: no part of the standard. */
const compressed = 'SPBV1.0_COMPRESSED'

/** Decodes a Sparkplug B payload. Throws DecodeError with a reason; never anything else, whatever the bytes. */
export function decodePayload(bytes: Uint8Array, limits: DecodeLimits = defaultLimits): Payload {
  if (bytes.length > limits.maxBytes)
    throw new DecodeError('too_large', `${bytes.length} bytes, at most ${limits.maxBytes} are taken`)
  const reader = new WireReader(bytes)
  let timestampMs: number | null = null
  let seq: number | null = null
  let uuid: string | null = null
  let body: Uint8Array | null = null
  const metrics: Metric[] = []
  while (!reader.done) {
    const tag = reader.varint()
    if (tag === 0x08) timestampMs = Number(reader.varint64())
    else if (tag === 0x12) {
      if (metrics.length >= limits.maxMetrics) throw new DecodeError('too_many_metrics', `more than ${limits.maxMetrics} metrics`)
      metrics.push(readMetric(reader))
    } else if (tag === 0x18) seq = safe(reader.varint64())
    else if (tag === 0x22) uuid = reader.text()
    else if (tag === 0x2a) body = reader.block()
    else reader.skip(tag & 7)
  }
  if (uuid === compressed)
    throw new DecodeError('compressed', 'the payload is compressed; compression must be switched off in the gateway')
  return { timestampMs, seq, metrics, uuid, body }
}

function readMetric(outer: WireReader): Metric {
  const block = outer.block()
  const reader = new WireReader(block)
  let name: string | null = null
  let alias: Alias | null = null
  let timestampMs: number | null = null
  let type: number = DataType.Unknown
  let field: number = DataType.Unknown
  let isHistorical = false
  let isTransient = false
  let isNull = false
  let unsupported = false
  let raw: MetricValue = null
  let integer: bigint | null = null
  while (!reader.done) {
    const tag = reader.varint()
    if (tag === 0x0a) name = reader.text()
    else if (tag === 0x10) alias = aliasOf(reader.varint64())
    else if (tag === 0x18) timestampMs = Number(reader.varint64())
    else if (tag === 0x20) type = reader.varint()
    else if (tag === 0x28) isHistorical = reader.varint() !== 0
    else if (tag === 0x30) isTransient = reader.varint() !== 0
    else if (tag === 0x38) isNull = reader.varint() !== 0
    else if (tag === 0x50 || tag === 0x58) integer = reader.varint64()
    else if (tag === 0x65) {
      raw = reader.float()
      field = DataType.Float
    } else if (tag === 0x69) {
      raw = reader.double()
      field = DataType.Double
    } else if (tag === 0x70) raw = reader.varint() !== 0
    else if (tag === 0x7a) raw = reader.text()
    else if (tag === 130) raw = reader.block()
    else {
      // DataSet (17), Template (18) and extensions (19).
      if (tag === 138 || tag === 146 || tag === 154) unsupported = true
      reader.skip(tag & 7)
    }
  }
  if (integer !== null) raw = integerOf(integer, type)
  // Only what stands in an integer field needs the type of the birth.
  else if (type === DataType.Unknown) type = field
  return { name, alias, timestampMs, type, isHistorical, isTransient, isNull, value: isNull ? null : raw, unsupported }
}

/** As a number where it is one exactly, so that both readers know it by the same key. */
const aliasOf = (value: bigint): Alias => (value <= Number.MAX_SAFE_INTEGER ? Number(value) : value)

function safe(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new DecodeError('bad_number', `${value} is beyond 2^53`)
  return number
}
