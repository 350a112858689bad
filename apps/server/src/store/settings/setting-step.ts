import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

interface NewStep {
  readonly commandId: string
  readonly state: string
  readonly at: number
  readonly evidence: object
}

/** Several steps of one change keep their order. */
export async function insertSteps(trx: Kysely<Schema>, steps: readonly NewStep[]): Promise<void> {
  if (steps.length === 0) return
  const rows = steps.map(({ commandId, state, at, evidence }) => ({
    command_id: commandId,
    state,
    at: new Date(at).toISOString(),
    evidence,
  }))
  await sql`
    insert into setting_step (command_id, step_no, state, at, evidence)
    select n.command_id, coalesce((select max(step_no) from setting_step s where s.command_id = n.command_id), 0)
      + row_number() over (partition by n.command_id order by n.place), n.state, n.at, n.evidence
    from rows from (jsonb_to_recordset(${storableJson(rows)}::jsonb) as (command_id uuid, state text, at timestamptz, evidence jsonb))
      with ordinality as n(command_id, state, at, evidence, place)`.execute(trx)
}

export interface StoredStep {
  readonly state: string
  readonly at: number
  readonly evidence: Readonly<Record<string, unknown>>
}

/** What happened to a change, in order. */
export async function stepsOfChange({ general }: Database, commandId: string): Promise<readonly StoredStep[]> {
  const rows = await general
    .selectFrom('setting_step')
    .selectAll()
    .where('command_id', '=', commandId)
    .orderBy('step_no')
    .execute()
  return rows.map((row) => ({ state: row.state, at: row.at.getTime(), evidence: row.evidence }))
}
