import fc from 'fast-check'
import sparkplugPayload from 'sparkplug-payload'
import { describe, expect, test } from 'vitest'
import { DataReader, EntryKind } from './data-reader.ts'
import { decodePayload } from './decode.ts'
import { encodePayload } from './encode.ts'
import { integerAs, valueAs } from './integer.ts'
import type { Metric } from './metric.ts'
import { DataType, metric } from './metric.ts'
import { DecodeError } from './wire-reader.ts'

const other = theirCodec()

function theirCodec() {
  const codec = sparkplugPayload.get('spBv1.0')
  if (!codec) throw new Error('sparkplug-payload has no spBv1.0')
  return codec
}

const integers: readonly [DataType, number, number][] = [
  [DataType.Int8, -128, 127],
  [DataType.Int16, -32_768, 32_767],
  [DataType.Int32, -2_147_483_648, 2_147_483_647],
  [DataType.Int64, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [DataType.UInt8, 0, 255],
  [DataType.UInt16, 0, 65_535],
  [DataType.UInt32, 0, 4_294_967_295],
  [DataType.UInt64, 0, Number.MAX_SAFE_INTEGER],
  [DataType.DateTime, 0, Number.MAX_SAFE_INTEGER],
]

const anyMetric: fc.Arbitrary<Metric> = fc
  .tuple(
    fc.oneof(
      ...integers.map(([type, min, max]) => fc.record({ type: fc.constant(type), value: fc.integer({ min, max }) })),
      fc.record({ type: fc.constant(DataType.Float), value: fc.float({ noNaN: true }) }),
      fc.record({ type: fc.constant(DataType.Double), value: fc.double({ noNaN: true }) }),
      fc.record({ type: fc.constant(DataType.Boolean), value: fc.boolean() }),
      fc.record({ type: fc.constantFrom(DataType.String, DataType.Text, DataType.UUID), value: fc.string({ unit: 'grapheme' }) }),
      fc.record({ type: fc.constant(DataType.Float), value: fc.constant(null) }),
    ),
    fc.option(fc.string({ minLength: 1 })),
    fc.option(fc.nat()),
    fc.option(fc.nat({ max: 4e12 })),
    fc.boolean(),
  )
  .map(([{ type, value }, name, alias, timestampMs, isHistorical]) =>
    metric({ type, value, name, alias, timestampMs, isHistorical }),
  )

const anyPayload = fc.record({
  timestampMs: fc.option(fc.nat({ max: 4e12 })),
  seq: fc.option(fc.nat({ max: 255 })),
  metrics: fc.array(anyMetric, { maxLength: 20 }),
  uuid: fc.option(fc.string()),
  body: fc.option(fc.uint8Array()),
})

test('one float by alias is these bytes', () => {
  const bytes = encodePayload({ timestampMs: 1, seq: 2, metrics: [metric({ alias: 3, type: DataType.Float, value: 1 })] })
  expect([...bytes]).toEqual([0x08, 1, 0x12, 9, 0x10, 3, 0x20, 9, 0x65, 0, 0, 0x80, 0x3f, 0x18, 2])
})

test('whatever is encoded comes back', () => {
  fc.assert(
    fc.property(anyPayload, (payload) => {
      expect(decodePayload(encodePayload(payload))).toEqual(payload)
    }),
  )
})

test('another implementation reads what we write, and we read what it writes', () => {
  const values = [
    { name: 'text', type: 'String', value: '一号楼' },
    { name: 'float', type: 'Float', value: 1.5 },
    { name: 'negative', type: 'Int32', value: -7 },
    { name: 'flag', type: 'Boolean', value: true },
  ] as const
  const theirs = other.encodePayload({ timestamp: 1_700_000_000_000, seq: 3, metrics: values.map((each) => ({ ...each })) })
  const ours = decodePayload(theirs)
  expect(ours.metrics.map(({ name, value }) => ({ name, value }))).toEqual(values.map(({ name, value }) => ({ name, value })))
  const back = other.decodePayload(encodePayload(ours))
  expect(back.metrics?.map(({ name, value }) => ({ name, value }))).toEqual(values.map(({ name, value }) => ({ name, value })))
})

describe('bad bytes', () => {
  const attempt = (bytes: Uint8Array) => {
    new DataReader().read(bytes)
    try {
      decodePayload(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError)
    }
  }

  test('random ones end in a reason, never in a crash', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), attempt), { numRuns: 2_000 })
  })

  test('damaged good ones too', () => {
    fc.assert(
      fc.property(anyPayload, fc.nat(), fc.nat({ max: 255 }), fc.nat(), (payload, at, byte, cut) => {
        const bytes = encodePayload(payload)
        if (bytes.length === 0) return
        bytes[at % bytes.length] = byte
        attempt(bytes.subarray(0, cut % (bytes.length + 1)))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['truncated', [0x12, 200]],
    ['bad_varint', [0x08, ...Array(10).fill(0xff), 1]],
    ['bad_wire_type', [0x0b]],
    ['bad_utf8', [0x22, 1, 0xff]],
    ['bad_number', [0x18, ...Array(9).fill(0xff), 1]],
  ])('%s is named', (reason, bytes) => {
    expect(() => decodePayload(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ reason }))
  })

  test('a compressed payload is named, and another uuid is nothing', () => {
    const body = new Uint8Array(8)
    expect(() => decodePayload(encodePayload({ uuid: 'SPBV1.0_COMPRESSED', body, metrics: [] }))).toThrow(
      expect.objectContaining({ reason: 'compressed' }),
    )
    expect(decodePayload(encodePayload({ uuid: 'ours', body, metrics: [] })).uuid).toBe('ours')
  })

  test('ten megabytes are refused at once', () => {
    expect(() => decodePayload(new Uint8Array(10_000_000))).toThrow(expect.objectContaining({ reason: 'too_large' }))
  })

  test('more metrics than the limit are refused', () => {
    const metrics = Array.from({ length: 6 }, () => metric({ type: DataType.Float, value: 1 }))
    expect(() => decodePayload(encodePayload({ metrics }), { maxBytes: 1_000, maxMetrics: 5 })).toThrow(
      expect.objectContaining({ reason: 'too_many_metrics' }),
    )
  })
})

test('DATA without datatypes is what was measured, once the types of the birth are applied', () => {
  const anyInteger = fc.oneof(
    ...integers.map(([type, min, max]) => fc.record({ type: fc.constant(type), value: fc.integer({ min, max }) })),
  )
  const reader = new DataReader()
  fc.assert(
    fc.property(anyInteger, ({ type, value }) => {
      const bytes = encodePayload({ seq: 1, metrics: [metric({ alias: 1, type, value })] }, { typed: () => false })
      const [read] = decodePayload(bytes).metrics
      expect(read && valueAs(read, type)).toBe(value)
      // What it leaves to the general reader is read there.
      if (reader.read(bytes)) expect([reader.kind[0], integerAs(reader.value[0] ?? 0, type)]).toEqual([EntryKind.integer, value])
      else expect([DataType.Int64, value < 0]).toEqual([type, true])
    }),
  )
})

test('a float or a truth without a datatype needs no birth to be read, and is never read as an integer', () => {
  const each = [
    metric({ alias: 1, type: DataType.Float, value: 40_000 }),
    metric({ alias: 2, type: DataType.Double, value: 3e9 }),
    metric({ alias: 3, type: DataType.Boolean, value: true }),
  ]
  const { metrics } = decodePayload(encodePayload({ seq: 1, metrics: each }, { typed: () => false }))
  expect(metrics.map((read) => valueAs(read, DataType.Int16))).toEqual([40_000, 3e9, true])
})

describe('the fast reader', () => {
  const fast = fc.array(
    fc.record({
      alias: fc.nat({ max: 0x7fff_ffff }),
      timestampMs: fc.option(fc.nat({ max: 4e12 })),
      isHistorical: fc.boolean(),
      of: fc.oneof(
        fc.record({ type: fc.constant(DataType.Float), value: fc.float({ noNaN: true }) }),
        fc.record({ type: fc.constant(DataType.Double), value: fc.double({ noNaN: true }) }),
        ...integers
          .filter(([type]) => type !== DataType.Int64 && type !== DataType.DateTime)
          .map(([type, min, max]) => fc.record({ type: fc.constant(type), value: fc.integer({ min, max }) })),
        fc.record({ type: fc.constant(DataType.Boolean), value: fc.boolean() }),
        fc.record({ type: fc.constant(DataType.Float), value: fc.constant(null) }),
      ),
    }),
    { maxLength: 40 },
  )

  test('agrees with the general one', () => {
    const reader = new DataReader()
    fc.assert(
      fc.property(fast, fc.nat({ max: 255 }), fc.nat({ max: 4e12 }), (entries, seq, timestampMs) => {
        const metrics = entries.map(({ of, ...rest }) => metric({ ...rest, ...of }))
        expect(reader.read(encodePayload({ seq, timestampMs, metrics }))).toBe(true)
        expect([reader.seq, reader.timestampMs, reader.count]).toEqual([seq, timestampMs, metrics.length])
        metrics.forEach((each, i) => {
          expect(reader.alias[i]).toBe(each.alias)
          expect(reader.timestamp[i]).toBe(each.timestampMs ?? Number.NaN)
          expect(reader.historical[i]).toBe(each.isHistorical ? 1 : 0)
          expect(reader.kind[i]).toBe(
            each.value === null ? EntryKind.null : typeof each.value === 'boolean' ? EntryKind.boolean : EntryKind.number,
          )
          expect(reader.value[i]).toBe(each.value === null ? Number.NaN : Number(each.value))
        })
      }),
    )
  })

  test.each([
    ['a name', metric({ name: 'x', alias: 1, type: DataType.Float, value: 1 })],
    ['a string', metric({ alias: 1, type: DataType.String, value: 'x' })],
    ['a negative integer of 64 bits', metric({ alias: 1, type: DataType.Int64, value: -1 })],
    ['no alias', metric({ type: DataType.Float, value: 1 })],
  ])('leaves %s to the general one', (_, each) => {
    expect(new DataReader().read(encodePayload({ seq: 1, metrics: [each] }))).toBe(false)
  })
})

test('is_null counts whatever value stands beside it, in both readers', () => {
  // metric { alias: 1, datatype: Float, is_null, float_value: 1 }
  const bytes = Uint8Array.from([0x12, 0x0b, 0x10, 1, 0x20, 9, 0x38, 1, 0x65, 0, 0, 0x80, 0x3f])
  expect(decodePayload(bytes).metrics).toMatchObject([{ alias: 1, isNull: true, value: null }])
  const reader = new DataReader()
  expect(reader.read(bytes)).toBe(true)
  expect([reader.count, reader.kind[0], reader.value[0]]).toEqual([1, EntryKind.null, Number.NaN])
})

test.each([
  ['a data set', 0x8a],
  ['a template', 0x92],
  ['an extension', 0x9a],
])('%s is marked as what cannot be read', (_, tag) => {
  // metric { alias: 1, <empty message> }
  const bytes = Uint8Array.from([0x12, 0x05, 0x10, 1, tag, 1, 0])
  expect(decodePayload(bytes).metrics).toMatchObject([{ alias: 1, value: null, unsupported: true }])
})

test('an alias is any unsigned 64-bit number, a number while that is exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (given) => {
      const alias = given <= Number.MAX_SAFE_INTEGER ? Number(given) : given
      const [read] = decodePayload(encodePayload({ metrics: [metric({ alias, type: DataType.Float, value: 1 })] })).metrics
      expect(read?.alias).toBe(alias)
    }),
  )
})

test('a time beyond 2^53 is no reason to lose the message', () => {
  const bytes = [0x12, 0x0f, 0x10, 1, 0x18, ...Array(9).fill(0xff), 1, 0x28, 0]
  expect(decodePayload(Uint8Array.from(bytes)).metrics).toMatchObject([{ alias: 1, timestampMs: 2 ** 64 }])
})
