import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'
import { readQuarters } from './read.ts'

type Db = Kysely<Schema>

/** What was entered over quarters of a line. */
export interface StoredFix {
  readonly fix_id: number
  readonly line_id: number
  /** Unix ms. */
  readonly starts: number
  readonly ends: number
  readonly method: 'register' | 'kwh' | 'profile' | 'zero'
  readonly start_kwh: number | null
  readonly end_kwh: number | null
  /** Whole Wh, by the multiplier of its time; null: nothing is usual there. */
  readonly wh: number | null
  readonly reason: string
  readonly typed_name: string
  readonly typed_at: Date
  readonly undone_name: string | null
  readonly undone_at: Date | null
}

const select = sql`
  select fix_id, fix.line_id, (extract(epoch from fix.starts) * 1000)::float8 as starts, (extract(epoch from fix.ends) * 1000)::float8 as ends, method, start_kwh, end_kwh,
    case method when 'register' then round((end_kwh - start_kwh) * coalesce(multiplier, 1) * 1000) when 'zero' then 0
      when 'profile' then (select sum(each)::float8 from unnest(course) as each) else wh end as wh,
    fix.reason, fix.typed_name, fix.typed_at, undone_name, undone_at
  from energy_fix as fix
    left join lateral (
      select multiplier from meter_span as meter
      where meter.line_id = fix.line_id and meter.starts <= fix.starts and (meter.ends is null or meter.ends > fix.starts)
    ) as meter on true`

/** Of these lines, the latest entered first. */
export async function fixesOf(db: Db, lineIds: readonly number[], most: number): Promise<readonly StoredFix[]> {
  const { rows } = await sql<StoredFix>`
    ${select} where fix.line_id = any (${[...lineIds]}::int[]) order by fix_id desc limit ${most}`.execute(db)
  return rows
}

async function fixOf(db: Db, fixId: number): Promise<StoredFix | undefined> {
  const { rows } = await sql<StoredFix>`${select} where fix_id = ${fixId}`.execute(db)
  return rows[0]
}

/** Which line a fix is of; undefined: there is none. */
export const lineOfFix = async (db: Db, fixId: number): Promise<number | undefined> => (await fixOf(db, fixId))?.line_id

interface InProject {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  readonly name: string
  readonly at: number
}

export interface NewFix {
  readonly lineId: number
  readonly from: number
  readonly to: number
  readonly method: StoredFix['method']
  readonly startKwh: number | null
  readonly endKwh: number | null
  readonly wh: number | null
  readonly course: readonly (number | null)[] | null
  readonly reason: string
}

/** Stores what was entered, with what was known below it, and notes its quarters. */
export const addFix = (
  database: Database,
  { projectId, owner, name, at }: InProject,
  fix: NewFix,
  most: number,
  audit: AuditEntry,
): Promise<StoredFix | 'noProject' | 'many' | 'overlaps'> =>
  database.general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from energy_fix join line using (line_id) join device using (device_id) join gateway using (gateway_id)
      where project_id = ${projectId} and undone_at is null`.execute(trx)
    if ((counted[0]?.count ?? 0) >= most) return 'many'
    const { lineId, from, to } = fix
    const { rows: others } = await sql`
      select from energy_fix where line_id = ${lineId} and undone_at is null and starts < ${new Date(to)} and ends > ${new Date(from)} limit 1`.execute(
      trx,
    )
    if (others.length > 0) return 'overlaps'
    const former = await readQuarters({ ...database, general: trx }, lineId, from, to)
    const { rows } = await sql<{ fix_id: number }>`
      insert into energy_fix (line_id, starts, ends, method, start_kwh, end_kwh, wh, course, former_wh, former_how, reason, typed_name, typed_at)
      values (${lineId}, ${new Date(from)}, ${new Date(to)}, ${fix.method}, ${fix.startKwh}, ${fix.endKwh}, ${fix.wh}, ${fix.course}::int[],
        ${former.wh}::int[], ${Buffer.from(former.how)}, ${fix.reason}, ${name}, ${new Date(at)}) returning fix_id`.execute(trx)
    await note(trx, lineId, from, to, null)
    await appendAudit(trx, audit)
    return (await fixOf(trx, rows[0]?.fix_id ?? 0)) ?? 'noProject'
  })

/** Undoes one: its quarters are made anew of readings, and are what they were where these are gone. */
export const endFix = (
  { general }: Database,
  { projectId, owner, name, at }: InProject,
  fixId: number,
  audit: (fix: StoredFix) => AuditEntry,
): Promise<StoredFix | 'noProject' | 'gone' | 'changed'> =>
  general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const before = await fixOf(trx, fixId)
    if (!before) return 'gone'
    if (before.undone_at !== null) return 'changed'
    await sql`update energy_fix set undone_at = ${new Date(at)}, undone_name = ${name} where fix_id = ${fixId}`.execute(trx)
    await note(trx, before.line_id, before.starts, before.ends, 1)
    await appendAudit(trx, audit(before))
    return (await fixOf(trx, fixId)) ?? 'gone'
  })

const note = (trx: Db, lineId: number, from: number, to: number, factor: 1 | null) =>
  sql`insert into energy_due (line_id, starts, ends, factor) values (${lineId}, ${new Date(from)}, ${new Date(to)}, ${factor})`.execute(
    trx,
  )
