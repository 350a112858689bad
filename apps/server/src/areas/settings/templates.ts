import type { insertTemplate, List, Problem, queryTemplates, SettingTemplate, updateTemplate } from '@linewarden/contract'
import { about, aboutNothing, Refusal, type Request } from '@linewarden/contract'
import type { Family, Setting } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'
import { templateFault, templateRanges } from '@linewarden/rules/settings'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { TemplateForm, TemplateOwner, TemplateRow } from '../../store/settings/setting-template.ts'
import * as stored from '../../store/settings/setting-template.ts'

type Form = Request<typeof insertTemplate>['body']

/**
 * Values kept under a name, for one family. What no model of the family could have is refused here; each line's own range is checked when they
 * are used.
 */
export function createTemplates({ database, clock }: { database: Database; clock: () => number }) {
  return {
    async list(actor: Actor, body: Request<typeof queryTemplates>['body']): Promise<List<SettingTemplate>> {
      const filter = {
        owner: ownerOf(actor),
        name: body.Name?.trim() ?? '',
        family: body.Family ?? null,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
        sort: body.Sort,
      }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) => stored.listTemplates(db, filter))
      return { items: rows.map(recordOf), total }
    },

    byId: found,

    async insert(actor: Actor, body: Form): Promise<SettingTemplate> {
      const form = formOf(actor, body)
      const audit = {
        ...by(actor, clock(), 'template.add', actor.tenant),
        subject: aboutNothing,
        target: form.name,
        after: form.settings,
      }
      const row = await stored.insertTemplate(database, actor.tenant, form, audit)
      if (!row) throw new Refusal('template exists')
      return recordOf(row)
    },

    async update(actor: Actor, body: Request<typeof updateTemplate>['body']): Promise<SettingTemplate> {
      const before = await found(actor, body.TemplateID)
      const form = formOf(actor, body)
      const audit = {
        ...by(actor, clock(), 'template.edit', before.owner_id),
        subject: about('template', body.TemplateID),
        target: form.name,
        after: form.settings,
      }
      const change = { ...form, templateId: body.TemplateID, version: body.Version }
      const row = await stored.updateTemplate(database, change, audit)
      if (row === 'taken') throw new Refusal('template exists')
      if (row === 'changed') throw new Refusal('changed meanwhile')
      return recordOf(row)
    },

    async remove(actor: Actor, templateId: number): Promise<null> {
      const { name, owner_id } = await found(actor, templateId)
      const audit = { ...by(actor, clock(), 'template.delete', owner_id), subject: about('template', templateId), target: name }
      if (!(await stored.deleteTemplate(database, templateId, audit))) throw new Refusal('template not exists')
      return null
    },
  }

  async function found(actor: Actor, templateId: number): Promise<TemplateRow> {
    const row = await stored.templateById(database, templateId, ownerOf(actor))
    if (!row) throw new Refusal('template not exists')
    return row
  }

  function formOf(actor: Actor, body: Form): TemplateForm {
    const family = familyOf(body.Family)
    if (!family) throw new Refusal('other family')
    return {
      name: body.Name.trim(),
      family: family.key,
      settings: settingsOf(family, body.Settings),
      remark: body.Remark?.trim() ?? '',
      changedBy: actor.userName,
      changedAt: clock(),
    }
  }
}

function settingsOf(family: Family, given: Form['Settings']): Record<string, number> {
  const problems = given.flatMap(({ Key, Value }): Problem[] => {
    const setting = family.settings.find(({ key }) => key === Key)
    if (!setting) throw new Refusal('setting unknown', { key: Key })
    return templateFault(family, setting, Value) === null ? [] : [problemOf(family, setting)]
  })
  if (problems.length > 0) throw new Refusal('template out of range', {}, problems)
  return Object.fromEntries(given.map(({ Key, Value }) => [Key, Value]))
}

function problemOf(family: Family, setting: Setting): Problem {
  const { key, label, max: most, step } = setting
  const unit = setting.unit === '' ? '' : ` ${setting.unit}`
  const ranges = templateRanges(family, setting)
    .map(({ min, max }) => `${min}–${max ?? (typeof most === 'number' ? most : `${most.timesIn}In`)}`)
    .join(' / ')
  return {
    Path: `Settings.${key}`,
    Text: {
      zh: `${label.zh}应为 ${ranges}${unit}，按 ${step}${unit} 递进`,
      en: `${label.en} must be ${ranges}${unit}, in steps of ${step}${unit}`,
    },
  }
}

const ownerOf = ({ platform, tenant }: Actor): TemplateOwner => (platform ? { all: true } : { all: false, tenant })

const recordOf = (row: TemplateRow): SettingTemplate => ({
  TemplateID: row.template_id,
  Name: row.name,
  Family: row.family,
  Settings: Object.entries(row.settings).map(([Key, Value]) => ({ Key, Value })),
  Remark: row.remark,
  ChangedBy: row.changed_by,
  ChangedAt: row.changed_at.getTime(),
  Version: row.version,
})
