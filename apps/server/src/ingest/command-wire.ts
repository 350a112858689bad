import { wire } from '@linewarden/equipment'
import type { Metric } from '@linewarden/sparkplug'
import { DataType, deviceTopic, edgeTopic, encodePayload, metric } from '@linewarden/sparkplug'
import type { IntervalCommand, OutgoingCommand } from './ingest.ts'
import type { GatewaySession } from './session.ts'
import { jsonCommandTopic } from './topic-rights.ts'

const named = (name: string, type: number, value: string | number | boolean): Metric => metric({ name, type, value })

/** A command as it goes over the wire, to the gateway's own topic. */
export function commandMessage(session: GatewaySession, command: OutgoingCommand): { topic: string; payload: Uint8Array } {
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
    return { topic: jsonCommandTopic(session.gateway.number), payload: Buffer.from(JSON.stringify(body)) }
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
  return {
    topic: deviceTopic(session.group ?? '', 'DCMD', session.gateway.number, wireId),
    payload: encodePayload({ timestampMs: issuedAt, metrics }),
  }
}

/** An order to the gateway itself: how often it reports, in seconds. */
export function intervalMessage(session: GatewaySession, command: IntervalCommand): { topic: string; payload: Uint8Array } {
  const { commandId, seconds, issuedAt, deadline, fence } = command
  if (session.json) {
    const values = { [wire.info.reportingPeriod]: seconds }
    const body = { id: commandId, action: wire.set, issuedAt, deadline, fence, values }
    return { topic: jsonCommandTopic(session.gateway.number), payload: Buffer.from(JSON.stringify(body)) }
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
  return {
    topic: edgeTopic(session.group ?? '', 'NCMD', session.gateway.number),
    payload: encodePayload({ timestampMs: issuedAt, metrics }),
  }
}

/** Asks a gateway to be born again. */
export const rebirthMessage = (group: string, number: string, now: number): { topic: string; payload: Uint8Array } => ({
  topic: edgeTopic(group, 'NCMD', number),
  payload: encodePayload({ timestampMs: now, metrics: [named('Node Control/Rebirth', DataType.Boolean, true)] }),
})
