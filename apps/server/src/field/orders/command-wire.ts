import { wire } from '@linewarden/equipment'
import type { Metric } from '@linewarden/sparkplug'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import { jsonCommandTopic } from '../broker/topic-rights.ts'
import type { GatewaySession } from '../intake/session.ts'
import type { IntervalCommand, OutgoingCommand } from './outgoing.ts'

const named = (name: string, type: number, value: string | number | boolean): Metric => metric({ name, type, value })

const strings: ReadonlySet<number> = new Set([DataType.String, DataType.Text, DataType.UUID])
const ranges: Readonly<Record<number, readonly [number, number]>> = {
  [DataType.Int8]: [-0x80, 0x7f],
  [DataType.Int16]: [-0x8000, 0x7fff],
  [DataType.Int32]: [-0x8000_0000, 0x7fff_ffff],
  [DataType.Int64]: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  [DataType.UInt8]: [0, 0xff],
  [DataType.UInt16]: [0, 0xffff],
  [DataType.UInt32]: [0, 0xffff_ffff],
  [DataType.UInt64]: [0, Number.MAX_SAFE_INTEGER],
  [DataType.DateTime]: [0, Number.MAX_SAFE_INTEGER],
}

function fits(type: number, value: Metric['value']): boolean {
  if (typeof value === 'string') return strings.has(type)
  if (typeof value === 'boolean') return type === DataType.Boolean
  if (typeof value !== 'number') return false
  const range = ranges[type]
  if (!range) return type === DataType.Float || type === DataType.Double
  return Number.isInteger(value) && value >= range[0] && value <= range[1]
}

/**
 * An order to equipment that announced, as the standard asks, what can be ordered of it: by the alias of the birth, in its types, which are
 * left out for whoever leaves them out. What it did not announce, or in a type that cannot hold it, goes by name with its own type.
 */
function asAnnounced(
  session: GatewaySession,
  device: string | null,
  metrics: readonly Metric[],
  timestampMs: number,
): Uint8Array {
  const announced = session.metrics.get(device)
  const known = new Set<Metric>()
  const asBorn = metrics.map((each) => {
    const metric = announced?.get(each.name ?? '')
    if (!metric || !fits(metric.type, each.value)) return each
    const { alias, type } = metric
    const made = { ...each, name: alias === null ? each.name : null, alias, type }
    known.add(made)
    return made
  })
  return encodePayload({ timestampMs, metrics: asBorn }, { typed: (each) => !session.leavesTypesOut || !known.has(each) })
}

interface Order {
  readonly topic: string
  readonly payload: Uint8Array
  readonly qos: 0 | 1
}

/** Equipment that announced `command/id` follows the standard, which wants QoS 0; other orders are acknowledged. */
function order(
  session: GatewaySession,
  device: string | null,
  topic: string,
  metrics: readonly Metric[],
  timestampMs: number,
): Order {
  return session.metrics.get(device)?.get(wire.command.id)
    ? { topic, payload: asAnnounced(session, device, metrics, timestampMs), qos: 0 }
    : { topic, payload: encodePayload({ timestampMs, metrics }), qos: 1 }
}

/** Where orders to a gateway, or to a device of it, go. */
export function orderTopic(session: GatewaySession, device: string | null): string {
  const { number } = session.gateway
  if (session.json) return jsonCommandTopic(number)
  const group = session.group ?? ''
  return device === null ? edgeTopic(group, 'NCMD', number) : deviceTopic(group, 'DCMD', number, device)
}

/** A command as it goes over the wire, to the gateway's own topic. */
export function commandMessage(session: GatewaySession, command: OutgoingCommand): Order {
  const { wireId, lineNo, commandId, action, settings, issuedAt, deadline, fence } = command
  const prefix = lineNo === 0 ? 'settings/' : `settings/${lineNo}/`
  const written = Object.entries(settings ?? {}).map(([key, value]) => [`${prefix}${key}`, value] as const)
  const bdSeq = session.edge.bdSeq ?? 0
  if (session.json) {
    const body = {
      device: wireId,
      line: lineNo,
      id: commandId,
      action,
      issuedAt,
      deadline,
      fence,
      ...(settings && { values: Object.fromEntries(written) }),
    }
    return { topic: orderTopic(session, null), payload: Buffer.from(JSON.stringify(body)), qos: 1 }
  }
  const metrics = [
    named(wire.command.id, DataType.String, commandId),
    named(wire.command.line, DataType.Int32, lineNo),
    named(wire.command.action, DataType.String, action),
    named(wire.command.issuedAt, DataType.DateTime, issuedAt),
    named(wire.command.deadline, DataType.DateTime, deadline),
    named(wire.command.fence, DataType.Int64, fence),
    named(wire.command.bdSeq, DataType.Int64, bdSeq),
    // In double precision: 1.2In of 63 A is 75.6 A, and what single precision makes of it lies beyond the range.
    ...written.map(([name, value]) => named(name, DataType.Double, value)),
  ]
  return order(session, wireId, orderTopic(session, wireId), metrics, issuedAt)
}

/** An order to the gateway itself: how often it reports, in seconds. */
export function intervalMessage(session: GatewaySession, command: IntervalCommand): Order {
  const { commandId, seconds, issuedAt, deadline, fence } = command
  if (session.json) {
    const values = { [wire.info.reportingPeriod]: seconds }
    const body = { id: commandId, action: wire.set, issuedAt, deadline, fence, values }
    return { topic: orderTopic(session, null), payload: Buffer.from(JSON.stringify(body)), qos: 1 }
  }
  const metrics = [
    named(wire.command.id, DataType.String, commandId),
    named(wire.command.action, DataType.String, wire.set),
    named(wire.command.issuedAt, DataType.DateTime, issuedAt),
    named(wire.command.deadline, DataType.DateTime, deadline),
    named(wire.command.fence, DataType.Int64, fence),
    named(wire.command.bdSeq, DataType.Int64, session.edge.bdSeq ?? 0),
    named(wire.info.reportingPeriod, DataType.Double, seconds),
  ]
  return order(session, null, orderTopic(session, null), metrics, issuedAt)
}

const rebirth = named('Node Control/Rebirth', DataType.Boolean, true)

/** Asks a gateway to be born again, as the standard has it: it is asked again if this gets lost. */
export const rebirthMessage = (session: GatewaySession, now: number): Order => ({
  topic: orderTopic(session, null),
  payload: asAnnounced(session, null, [rebirth], now),
  qos: 0,
})
