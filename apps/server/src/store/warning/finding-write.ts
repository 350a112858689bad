import type { Evidence, Finding } from '@linewarden/rules/warning'
import type pg from 'pg'
import type { Announced, StoredEvent } from '../alarm/event-write.ts'
import { announceRaised, takeFoldingTurn, writeEvent } from '../alarm/event-write.ts'
import { makeGraver } from '../alarm/graver.ts'
import type { EventDraft } from '../ingest/batch.ts'

/** The rule that found something. */
export interface FindingRule {
  readonly ruleId: number | null
  readonly version: number
}

/** What becomes of a finding. */
export type FindingStep =
  | {
      readonly act: 'raise' | 'graver'
      readonly draft: EventDraft
      readonly finding: Finding
      readonly rule: FindingRule
      readonly coverage: number | null
      /** The local day that was evaluated, since 1970; null: it was found at once. */
      readonly day: number | null
      /** It became known late: nobody is called for it. */
      readonly isLate: boolean
    }
  | { readonly act: 'return'; readonly draft: EventDraft }
  /** It was raised silently, as of the past, and is there still. */
  | { readonly act: 'call'; readonly draft: EventDraft; readonly eventId: string }

/**
 * Stores what became of findings, in the caller's transaction and as its last thing: raised once however often it is said, graver by the
 * same event, returned. Answers the events that changed, and others that these folded. `beforeAnnounced`: what else the transaction stores, for
 * which it waits while it has the rows of events.
 */
export async function writeFindings(
  client: pg.ClientBase,
  steps: readonly FindingStep[],
  now: number,
  beforeAnnounced?: () => Promise<void>,
): Promise<Announced> {
  await takeFoldingTurn(
    client,
    steps.map(({ draft }) => draft),
  )
  const stored: StoredEvent[] = []
  for (const step of steps) {
    const written = await writeFinding(client, step, now)
    if (written) stored.push(written)
  }
  await beforeAnnounced?.()
  return announceRaised(client, stored, now)
}

/** The same in a transaction of its own. */
export async function storeFindings(client: pg.ClientBase, steps: readonly FindingStep[], now: number): Promise<Announced> {
  await client.query('begin')
  try {
    const stored = await writeFindings(client, steps, now)
    await client.query('commit')
    return stored
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** The proof of a finding that goes on, by a later look. */
export interface NewerEvidence {
  readonly eventId: string
  readonly evidence: Evidence
  readonly rule: FindingRule
  readonly coverage: number
  /** The local day that was evaluated, since 1970. */
  readonly day: number
}

/**
 * Brings the proof of findings that go on to the day of a look. Called as the last thing of a transaction: it waits for nobody, and a proof that
 * somebody else is changing is as old as it was until the next look.
 */
export async function renewEvidence(client: pg.ClientBase, newer: readonly NewerEvidence[], now: number): Promise<void> {
  if (newer.length === 0) return
  await client.query(
    `update warning_evidence proof set evidence = newer.evidence::jsonb, coverage = newer.coverage, rule_id = newer.rule_id,
       rule_version = newer.rule_version, at = $7, evidence_day = newer.day
     from unnest($1::bigint[], $2::text[], $3::float8[], $4::int[], $5::int[], $6::int[])
       as newer (event_id, evidence, coverage, rule_id, rule_version, day)
     where proof.event_id = newer.event_id and proof.event_id in (
       select event_id from warning_evidence where event_id = any($1::bigint[]) for update skip locked)`,
    [
      newer.map(({ eventId }) => eventId),
      newer.map(({ evidence }) => JSON.stringify(evidence)),
      newer.map(({ coverage }) => coverage),
      newer.map(({ rule }) => rule.ruleId),
      newer.map(({ rule }) => rule.version),
      newer.map(({ day }) => day),
      new Date(now),
    ],
  )
}

async function writeFinding(client: pg.ClientBase, step: FindingStep, now: number): Promise<StoredEvent | null> {
  const { draft } = step
  if (step.act === 'return') {
    const returned = await writeEvent(client, draft, now)
    return returned && { ...returned, draft }
  }
  if (step.act === 'call') {
    const { rows } = await client.query<StoredEvent['row']>(
      `update event set announced = 1 where event_id = $1 and state = 'active' and announced = 0 and suppressed is null
         and (shelved_until is null or shelved_until <= $2) returning *`,
      [step.eventId, new Date(now)],
    )
    return rows[0] ? { row: rows[0], draft, isNew: true } : null
  }
  const written = await (step.act === 'raise' ? writeEvent(client, draft, now) : makeGraver(client, draft))
  if (!written) return null
  const { row, isNew } = written
  await writeEvidence(client, row.event_id, step, now)
  if (!step.isLate || !isNew) return { ...written, draft }
  await client.query('update event set announced = greatest(0, announced - 1) where event_id = $1', [row.event_id])
  return { row: { ...row, announced: Math.max(0, row.announced - 1) }, isNew: false, draft }
}

/** The proof as it is now. */
async function writeEvidence(
  client: pg.ClientBase,
  eventId: string,
  { act, finding, rule, coverage, day }: Exclude<FindingStep, { act: 'return' | 'call' }>,
  now: number,
): Promise<void> {
  await client.query(
    `insert into warning_evidence (event_id, level, evidence, coverage, rule_id, rule_version, at, day, evidence_day)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict (event_id) do update set level = excluded.level, evidence = excluded.evidence, coverage = excluded.coverage,
       rule_id = excluded.rule_id, rule_version = excluded.rule_version, at = excluded.at, evidence_day = excluded.evidence_day,
       day = case when $9 then excluded.day else warning_evidence.day end`,
    [
      eventId,
      finding.level,
      JSON.stringify(finding.evidence),
      coverage,
      rule.ruleId,
      rule.version,
      new Date(now),
      day,
      act === 'raise',
    ],
  )
}
