import { about } from '@linewarden/contract'
import type { Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { coded, inOrder, named } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'

export type TemplateRow = Selectable<Schema['setting_template']>

/** Whose templates: those of one tenant (null: the installation's own), or all. */
export type TemplateOwner = { readonly all: true } | { readonly all: false; readonly tenant: string | null }

export interface TemplateForm {
  readonly name: string
  readonly family: string
  readonly settings: Readonly<Record<string, number>>
  readonly remark: string
  readonly changedBy: string
  readonly changedAt: number
}

const columns = ({ name, family, settings, remark, changedBy, changedAt }: TemplateForm) => ({
  name,
  family,
  settings: JSON.stringify(settings),
  remark,
  changed_by: changedBy,
  changed_at: new Date(changedAt),
})

const order = {
  columns: { Name: named('name'), ChangedBy: coded('changed_by'), ChangedAt: 'changed_at' },
  ties: ['template_id'],
} satisfies Order<string>

/** A page of templates by name, and how many there are. */
export async function listTemplates(
  { general }: Database,
  filter: {
    owner: TemplateOwner
    name: string
    family: string | null
    page: number
    size: number
    sort?: SortOf<typeof order> | undefined
  },
): Promise<{ rows: TemplateRow[]; total: number }> {
  let query = general.selectFrom('setting_template')
  const { owner } = filter
  if (!owner.all) query = query.where('owner_id', 'is not distinct from', owner.tenant)
  if (filter.family !== null) query = query.where('family', '=', filter.family)
  if (filter.name !== '')
    query = query.where(({ eb, fn, val }) => eb(fn('strpos', [fn('lower', ['name']), val(filter.name.toLowerCase())]), '>', 0))
  const rows = await inOrder(query.selectAll(), filter.sort, order, (own) => own.orderBy('name').orderBy('template_id'))
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
    .execute()
  const { total } = await query.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

export async function templateById({ general }: Database, templateId: number, owner: TemplateOwner): Promise<TemplateRow | null> {
  let query = general.selectFrom('setting_template').selectAll().where('template_id', '=', templateId)
  if (!owner.all) query = query.where('owner_id', 'is not distinct from', owner.tenant)
  return (await query.executeTakeFirst()) ?? null
}

/** Null when the tenant has one of this name already. */
export async function insertTemplate(
  { general }: Database,
  tenant: string | null,
  form: TemplateForm,
  audit: AuditEntry,
): Promise<TemplateRow | null> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('setting_template')
      .values({ owner_id: tenant, ...columns(form) })
      .onConflict((oc) => oc.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    await appendAudit(trx, { ...audit, subject: about('template', row.template_id) })
    return row
  })
}

/** `taken`: another one has this name. `changed`: somebody else saved in between. */
export async function updateTemplate(
  { general }: Database,
  { templateId, version, ...form }: TemplateForm & { readonly templateId: number; readonly version: number },
  audit: AuditEntry,
): Promise<TemplateRow | 'taken' | 'changed'> {
  return general.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('setting_template')
      .selectAll()
      .where('template_id', '=', templateId)
      .forUpdate()
      .executeTakeFirst()
    if (before?.version !== version) return 'changed'
    const taken = await trx
      .selectFrom('setting_template')
      .select('template_id')
      .where('owner_id', 'is not distinct from', before.owner_id)
      .where(({ eb, fn, val }) => eb(fn('lower', ['name']), '=', fn('lower', [val(form.name)])))
      .where('template_id', '<>', templateId)
      .executeTakeFirst()
    if (taken) return 'taken'
    const row = await trx
      .updateTable('setting_template')
      .set({ ...columns(form), version: version + 1 })
      .where('template_id', '=', templateId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendAudit(trx, { ...audit, before: { name: before.name, settings: before.settings } })
    return row
  })
}

export async function deleteTemplate({ general }: Database, templateId: number, audit: AuditEntry): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const row = await trx.deleteFrom('setting_template').where('template_id', '=', templateId).returningAll().executeTakeFirst()
    if (!row) return false
    await appendAudit(trx, { ...audit, before: { name: row.name, family: row.family, settings: row.settings } })
    return true
  })
}
