import type { Evidence, eventEvidence, Request } from '@linewarden/contract'
import { lineCommands } from '@linewarden/contract'
import { mayCall } from '@linewarden/rules/account'
import {
  evidenceAfterMs,
  evidenceBeforeMs,
  evidenceDueAt,
  evidenceMinuteOf,
  evidenceWhen,
  unpackSamples,
} from '@linewarden/rules/alarm'
import { gapsOf } from '@linewarden/rules/history'
import type { Actor } from '../../access/actor.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { askForEvidence, evidenceCopy, raisesOf } from '../../store/alarm/evidence.ts'
import { commandRecord } from '../control/records.ts'
import type { AlarmDeps } from './deps.ts'
import type { CopiedEvidence, CopiedNeighbour, EvidenceCopies } from './evidence-copies.ts'
import type { SeenEvents } from './seen-events.ts'

type Copy = NonNullable<Evidence['Copy']>

/** What a line reported around an alarm, as far as whoever asks sees it. */
export function createEvidence({ database, plant, clock }: AlarmDeps, { seenEvent }: SeenEvents, copies: EvidenceCopies) {
  return {
    async evidence(actor: Actor, eventId: string, asked: Request<typeof eventEvidence>['query']): Promise<Evidence> {
      const row = await seenEvent(actor, eventId)
      const raises = row.state === null ? [] : await raisesOf(database, row.event_id)
      const newest = (row.raised_again_at ?? row.raised_at).getTime()
      const at = asked.At !== undefined && raises.includes(asked.At) ? asked.At : newest
      const span = { from: at - evidenceBeforeMs, to: at + evidenceAfterMs }
      const found = row.line_id === null || row.state === null ? null : await copyOf(row, row.line_id, at)
      const isNone = row.line_id === null || row.state === null || evidenceWhen(row.priority) === 'never'
      return {
        State: found ? 'ready' : isNone ? 'none' : 'pending',
        At: at,
        Raises: [...raises],
        From: span.from,
        To: span.to,
        Copy: found && { CopiedAt: found.copiedAt, CompletedAt: found.completedAt, ...shown(actor, found.content, span) },
      }
    },
  }

  /** Null: it is still on its way, or there is none of such an alarm. */
  async function copyOf(row: EventRow, lineId: number, at: number) {
    const minute = evidenceMinuteOf(at)
    const now = clock()
    if (row.evidence_due !== null && minute === row.evidence_minute?.getTime() && row.evidence_due.getTime() > now) return null
    const found = await evidenceCopy(database, lineId, minute)
    if (found || evidenceWhen(row.priority) === 'never') return found && { ...found, content: found.content as CopiedEvidence }
    // Nobody had it copied when it was raised: it is copied now, as far as it is still there.
    const dueAt = Math.max(now, evidenceDueAt(Math.min(at, now)))
    const states = Object.fromEntries(plant.lines.get(lineId)?.states ?? [])
    await askForEvidence(database, { lineId, minute, dueAt, states })
    if (dueAt > now) return null
    await copies.now()
    const made = await evidenceCopy(database, lineId, minute)
    return made && { ...made, content: made.content as CopiedEvidence }
  }

  function shown(
    actor: Actor,
    content: CopiedEvidence,
    { from, to }: { readonly from: number; readonly to: number },
  ): Omit<Copy, 'CopiedAt' | 'CompletedAt'> {
    const within = (at: number) => at >= from && at < to
    const rows = unpackSamples(content.samples).filter(([at]) => within(at))
    const covered = rows.filter(([, values]) => values.some((each) => each !== null)).map(([at]) => [at, at] as const)
    const isSeen = ({ gatewayId }: CopiedNeighbour) => {
      const gateway = plant.gateways.get(gatewayId)
      return gateway !== undefined && actor.seesGateway(gateway)
    }
    const [feeder] = content.upstream
    return {
      Family: content.family,
      Points: [...content.points],
      Rows: rows.map(([at, values, quality]) => [at, [...values], quality]),
      Gaps: gapsOf(covered, { from, to, periodMs: content.periodMs }).map(([start, end]) => [start, end]),
      Levels: content.levels.map(({ key, label, kind, points, side, value }) => ({
        Key: key,
        Label: label,
        Kind: kind,
        Points: [...points],
        Side: side,
        Value: value,
      })),
      Before: statesOf(content.before),
      After: statesOf(content.after),
      Events: content.events
        .filter(({ at }) => within(at))
        .map(({ id, at, kind, key, label }) => ({ EventID: id, At: at, Kind: kind, Key: key, Label: label })),
      Upstream: content.upstream.filter(isSeen).map((each) => neighbour(each, within)),
      FeederUnseen: feeder !== undefined && !isSeen(feeder),
      Downstream: content.downstream.filter(isSeen).map((each) => neighbour(each, within)),
      Commands: mayCall(lineCommands, actor)
        ? content.commands.filter(({ issuedAt }) => within(issuedAt)).map((command) => commandRecord(command, content.place))
        : null,
    }
  }
}

const statesOf = (states: Readonly<Record<string, string>>) => Object.entries(states).map(([Key, Value]) => ({ Key, Value }))

const neighbour = (
  { lineId, controllerId, lineNo, name, position, openedAt }: CopiedNeighbour,
  within: (at: number) => boolean,
): Copy['Upstream'][number] => ({
  LineID: lineId,
  ControllerID: controllerId,
  LineNo: lineNo,
  LineName: name,
  Position: position,
  OpenedAt: openedAt !== null && within(openedAt) ? openedAt : null,
})
