import { aboutBatch } from '@linewarden/contract'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import type { AuditEntry, Subject } from '../../store/audit/append.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { aboutGateway, aboutLine } from '../../store/audit/subject.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import type { Intent, Order } from './intent.ts'
import { targetOf } from './records.ts'

/** What was authorised of an intent, to each owner of theirs: what was stopped in the last moment is not among it. */
export function auditsOf(
  { orderer, batchId, source, reason, offUntil }: Intent,
  authorised: readonly StoredChange[],
  ready: readonly { readonly order: Order }[],
  at: number,
): AuditEntry[] {
  const changes = new Map(authorised.map((change) => [change.commandId, change]))
  const placed = ready.flatMap(({ order }) => {
    const change = changes.get(order.commandId)
    return change ? [{ ...change, order, name: nameOf(order), tenant: tenantOfGateway(order.gateway) }] : []
  })
  return [...Map.groupBy(placed, ({ tenant }) => tenant)].map(([tenant, targets]) => ({
    ...by(orderer, at, `setting.${source}`, tenant),
    subject: subjectOf(
      batchId,
      targets.map(({ order }) => order),
    ),
    before: Object.fromEntries(targets.map(({ name, former }) => [name, former])),
    after: { reason, offUntil, targets: Object.fromEntries(targets.map(({ name, wanted }) => [name, wanted])) },
    outcome: 'authorised',
  }))
}

/** One target of a batch that was refused. */
interface RefusedTarget {
  readonly target: string
  readonly why: string
  /** In whose log it stands. */
  readonly tenant: string | null
}

/** Writes what of a batch was refused; a single order that is refused is in the log by its call. */
export async function auditRefused(
  database: Database,
  { orderer, batchId, source, reason }: Intent,
  refused: readonly RefusedTarget[],
  at: number,
): Promise<void> {
  for (const [tenant, own] of Map.groupBy(refused, (each) => each.tenant))
    await appendAudit(database.general, {
      ...by(orderer, at, `setting.${source}`, tenant),
      subject: aboutBatch(batchId),
      after: { reason, refused: Object.fromEntries(own.map((each) => [each.target, each.why])) },
      outcome: 'refused',
    })
}

const nameOf = ({ gateway, line }: Order): string => (line ? targetOf(line) : gateway.number)

function subjectOf(batchId: string, [first, ...others]: readonly Order[]): Subject {
  if (!first || others.length > 0) return aboutBatch(batchId, others.length + 1)
  return first.line ? aboutLine(first.line) : aboutGateway(first.gateway)
}
