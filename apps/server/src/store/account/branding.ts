import type { Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { SignInTables } from './sign-in-schema.ts'

export type StoredBranding = Omit<Selectable<SignInTables['branding']>, 'one' | 'logo'>

export interface BrandingChange extends Omit<StoredBranding, 'version' | 'logo_type' | 'logo_hash'> {
  /** Null: it goes; absent: it stays. */
  readonly logo?: { readonly bytes: Buffer; readonly type: string; readonly hash: string } | null
}

const columns = [
  'name_zh',
  'name_en',
  'title_zh',
  'title_en',
  'provider_host',
  'provider_name',
  'provider_url',
  'logo_type',
  'logo_hash',
  'version',
] as const

export const storedBranding = ({ general }: Database): Promise<StoredBranding> =>
  general.selectFrom('branding').select(columns).executeTakeFirstOrThrow()

/** The logo with this hash; null when it is not that one any more. */
export async function storedLogo({ general }: Database, hash: string): Promise<{ bytes: Buffer; type: string } | null> {
  const row = await general.selectFrom('branding').select(['logo', 'logo_type']).where('logo_hash', '=', hash).executeTakeFirst()
  return row?.logo && row.logo_type ? { bytes: row.logo, type: row.logo_type } : null
}

/** What is stored afterwards; null when it is not in this version any more. */
export const updateBranding = (
  { general }: Database,
  version: number,
  { logo, ...words }: BrandingChange,
  audit: AuditEntry,
): Promise<StoredBranding | null> =>
  general.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('branding').select(columns).forUpdate().executeTakeFirstOrThrow()
    if (before.version !== version) return null
    const picture =
      logo === undefined ? {} : { logo: logo?.bytes ?? null, logo_type: logo?.type ?? null, logo_hash: logo?.hash ?? null }
    const after = await trx
      .updateTable('branding')
      .set({ ...words, ...picture, version: version + 1 })
      .returning(columns)
      .executeTakeFirstOrThrow()
    await appendAudit(trx, { ...audit, before, after })
    return after
  })
